/** Takes over calls without an outcome: calls of nodes that have ended, and calls that a connecting process lists as unfinished. */
import { parseActionId } from '#sdk/protocol/ids';
import type { Attempt } from '../hub/attempt';
import type { InvocationRecord, InvocationStore } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { CallRunner } from './call-runner';
import type { PendingCall } from './pending-call';
import { recover, storedAs } from './recovery';

/** Longer than the database may take to answer: a claim under way is this node's own, and not known yet. */
const UNKNOWN_MS = 30_000;

export interface OrphanedCallsDeps {
  node: string;
  store: Pick<InvocationStore, 'get' | 'open' | 'take' | 'takeAbandoned'>;
  directory: CallDirectory;
  runner: Pick<CallRunner, 'adopt' | 'awaitInstance'>;
}

export class OrphanedCalls {
  readonly #deps: OrphanedCallsDeps;

  constructor(deps: OrphanedCallsDeps) {
    this.#deps = deps;
  }

  /** Takes over the open calls of nodes that have ended. Their handlers may still run. */
  async takeAbandoned(): Promise<void> {
    await this.#await(await this.#deps.store.takeAbandoned());
  }

  /** The answer of the store may have been lost, to a call that this node took over: the call is its own, and it does not know that. */
  async awaitUnknown(): Promise<void> {
    await this.#await(await this.#deps.store.open(Date.now() - UNKNOWN_MS));
  }

  async #await(records: readonly InvocationRecord[]): Promise<void> {
    const { directory, runner } = this.#deps;
    // Skips calls that this node still runs: another node may have taken them over while this node was frozen.
    const calls = records.filter(({ id }) => !directory.claimed(id)).map((record) => runner.awaitInstance(record));
    await Promise.all(calls.map((call) => this.#leaveIfMoved(call)));
  }

  /** The process may have connected to another node, which took the call, and whose message came before this node had it. */
  async #leaveIfMoved(call: PendingCall): Promise<void> {
    const { store, node } = this.#deps;
    const record = await store.get(call.id);
    if (record && record.node !== node) call.attempt.settle({ gone: 'moved' });
  }

  /** Returns attempts for those invocations of a connecting instance whose outcome is still needed. */
  async takeReturned(toolkitId: string, ids: readonly string[]): Promise<Attempt[]> {
    const { open, ended } = await this.#wanted(toolkitId, ids);
    const taken = open.length === 0 ? [] : await this.#deps.store.take(open);
    // Another node may have given up some of them meanwhile: a process drops a result that it is not asked for.
    const missed = open.filter((id) => !taken.some((record) => record.id === id));
    const givenUp = missed.length === 0 ? [] : (await this.#wanted(toolkitId, missed)).ended;
    return [...taken, ...ended, ...givenUp].map((record) => this.#attemptOf(record));
  }

  async #wanted(toolkitId: string, ids: readonly string[]): Promise<{ open: string[]; ended: InvocationRecord[] }> {
    const found = await Promise.all(ids.map((id) => this.#deps.store.get(id)));
    const wanted = found.filter((record): record is InvocationRecord => record !== undefined && this.#isWanted(record, toolkitId));
    return {
      open: wanted.filter(({ outcome }) => outcome === null).map(({ id }) => id),
      ended: wanted.filter(({ outcome }) => outcome !== null),
    };
  }

  #isWanted(record: InvocationRecord, toolkitId: string): boolean {
    if (parseActionId(record.action)?.toolkitId !== toolkitId) return false;
    return recover({ attempt: 'returned', stored: storedAs(record, record.idempotencyKey, this.#deps.node) }) === 'take over';
  }

  #attemptOf(record: InvocationRecord): Attempt {
    const { directory, runner } = this.#deps;
    const running = directory.claimed(record.id)?.attempt;
    return running?.isSettled === false ? running : runner.adopt(record).attempt;
  }
}
