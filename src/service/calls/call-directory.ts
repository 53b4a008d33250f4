/** The calls that this node runs, or waits for, by id and by idempotency key. */
import type { InvocationStart } from '../store/store';
import type { PendingCall } from './pending-call';

export class CallDirectory {
  readonly #all = new Set<PendingCall>();
  /** `<agent key id> <idempotency key>` -> the call that runs under it. */
  readonly #byKey = new Map<string, PendingCall>();

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<PendingCall> {
    return this.#all.values();
  }

  add(run: PendingCall): void {
    this.#all.add(run);
    const key = keyOf(run.record);
    // A retry may wait for what another node left behind before that becomes this node's: it goes on under its key.
    if (key !== undefined && !this.underKey(run.record)) this.#byKey.set(key, run);
  }

  delete(run: PendingCall): void {
    this.#all.delete(run);
    const key = keyOf(run.record);
    if (key !== undefined && this.#byKey.get(key) === run) this.#byKey.delete(key);
  }

  /** Not one that everybody has left before it was sent: it only comes to its end. */
  underKey(call: Pick<InvocationStart, 'agentKeyId' | 'idempotencyKey'>): PendingCall | undefined {
    const key = keyOf(call);
    const run = key === undefined ? undefined : this.#byKey.get(key);
    return run?.abandoned && !run.sent ? undefined : run;
  }

  /** The one that this node has claimed under this id. */
  claimed(id: string): PendingCall | undefined {
    for (const run of this.#all) if (run.claimed && run.record.id === id) return run;
    return undefined;
  }
}

function keyOf({ agentKeyId, idempotencyKey }: Pick<InvocationStart, 'agentKeyId' | 'idempotencyKey'>): string | undefined {
  return idempotencyKey === null ? undefined : `${agentKeyId} ${idempotencyKey}`;
}
