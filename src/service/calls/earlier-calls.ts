/**
 * Calls that the store already has: a retry of one, or a call that another node has claimed, waits for its outcome here.
 *
 * The store says who has a call. An answer over the bus is only faster; where one may be lost, the store is asked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { InvocationRecord, InvocationStore } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { Ended, PendingCall } from './pending-call';
import { recover, storedAs } from './recovery';
import type { RemoteExecutor } from './remote-executor';
import { replay, requireSameCall } from './replay';
import { untilAvailable } from './until-available';

/** Between two queries for a call whose node does not answer. */
const POLL_MS = 500;

export interface EarlierCallsDeps {
  node: string;
  store: Pick<InvocationStore, 'find' | 'get'>;
  directory: CallDirectory;
  remote: Pick<RemoteExecutor, 'join'>;
}

export class EarlierCalls {
  readonly #node: string;
  readonly #store: EarlierCallsDeps['store'];
  readonly #directory: CallDirectory;
  readonly #remote: EarlierCallsDeps['remote'];

  constructor({ node, store, directory, remote }: EarlierCallsDeps) {
    this.#node = node;
    this.#store = store;
    this.#directory = directory;
    this.#remote = remote;
  }

  /** The call that holds the idempotency key. Rejects with IDEMPOTENCY_MISMATCH when that is not an equal call. */
  async find({ record }: PendingCall): Promise<InvocationRecord | undefined> {
    if (record.idempotencyKey === null) return undefined;
    const earlier = await this.#store.find(record.agentKeyId, record.idempotencyKey);
    if (earlier) requireSameCall(earlier, record.requestHash);
    return earlier;
  }

  /**
   * Resolves with the outcome of the claimed call; with `orphan` when this node has claimed it and does not run it; with undefined when its key
   * is free: it did not run, or may run once more. When no caller waits any more, with the error of the last one.
   */
  async follow(call: PendingCall, claimed: InvocationRecord): Promise<Ended | { orphan: InvocationRecord } | undefined> {
    let record: InvocationRecord | undefined = claimed;
    for (let isOrphan = false; ; ) {
      if (call.abandoned) return { error: call.abandoned };
      const next = recover({ attempt: 'none', stored: storedAs(record, call.record.idempotencyKey, this.#node) });
      if (next === 'run' || !record) return undefined;
      if (record.outcome) return replay(record.outcome);
      const found = await (record.node === this.#node ? this.#waitHere(call, record) : this.#remote.join(call, record));
      if (typeof found !== 'string') return found;
      // At the first look it may have ended since the query, or this node is just taking it over.
      if (found === 'orphan' && isOrphan) return { orphan: record };
      isOrphan = found === 'orphan';
      await delay(POLL_MS);
      const now = await untilAvailable(call, () => this.#store.get(claimed.id));
      record = now ? now.answer : record;
    }
  }

  async #waitHere(call: PendingCall, { id }: InvocationRecord): Promise<Ended | 'lost' | 'orphan' | undefined> {
    const other = this.#directory.claimed(id);
    if (!other) return 'orphan';
    if (other === call) return 'lost';
    const ended = await other.ended;
    // Refused, or abandoned before a handler got it: that is an answer for its own callers alone.
    return other.mayHaveRun ? ended : undefined;
  }
}
