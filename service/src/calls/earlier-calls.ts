/**
 * Follows calls that are already in the store: a retry waits for the outcome of the first call, a forwarded call for the node that claimed it.
 *
 * The store is the authority on which node has a call. An answer over the bus is only faster; when one may be lost, the store decides.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { InvocationRecord, InvocationStore } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { Ended } from './call-state';
import type { PendingCall } from './pending-call';
import { recover, storedAs } from './recovery';
import type { RemoteExecutor } from './remote-executor';
import { type EndedRecord, replayStored, requireSameCall } from './replay';
import { untilAvailable } from './until-available';

/** Interval between store queries for a call whose node does not answer. */
const POLL_MS = 500;

export interface EarlierCallsDeps {
  node: string;
  store: Pick<InvocationStore, 'find' | 'get' | 'release'>;
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

  /** Returns the call that holds the idempotency key. Rejects with IDEMPOTENCY_MISMATCH when its action or payload differs. */
  async find({ record }: PendingCall): Promise<InvocationRecord | undefined> {
    if (record.idempotencyKey === null) return undefined;
    const earlier = await this.#store.find(record.agentKeyId, record.idempotencyKey);
    if (earlier) requireSameCall(earlier, record.requestHash);
    return earlier;
  }

  /**
   * Waits for the end of the claimed call. Resolves with
   * - its outcome, or the last caller's error when no caller waits any more
   * - `orphan` when this node has claimed it and does not run it
   * - undefined when its key is free: it did not run, or may run once more
   *
   * An outcome that its handler calls retryable is for the callers that waited for it. The key is free for a call that found it ended.
   */
  async follow(call: PendingCall, claimed: InvocationRecord): Promise<Ended | { orphan: InvocationRecord } | undefined> {
    let record: InvocationRecord | undefined = claimed;
    for (let isOrphan = false; ; ) {
      if (call.abandoned) return { error: call.abandoned };
      const stored = storedAs(record, call.record.idempotencyKey, this.#node);
      switch (recover({ attempt: 'none', stored, waited: record !== claimed || claimed.id === call.id })) {
        case 'run':
          return undefined;
        case 'run again':
          return this.#store.release(claimed.id) as Promise<undefined>;
        case 'replay':
        case 'OUTCOME_UNKNOWN':
          return replayStored(record as EndedRecord);
        case 'follow': {
          const open = record as InvocationRecord;
          const found = await (open.node === this.#node ? this.#waitHere(call, open) : this.#remote.join(call, open));
          if (typeof found !== 'string') return found;
          // The first time, the call may have ended since the query, or this node may be about to take it over.
          if (found === 'orphan' && isOrphan) return { orphan: open };
          isOrphan = found === 'orphan';
        }
      }
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
    // A call that was refused, or abandoned before a handler received it, has an answer for its own callers only.
    return other.mayHaveRun ? ended : undefined;
  }
}
