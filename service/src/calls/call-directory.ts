/** The calls that this node runs or waits for, indexed by idempotency scope; claimed calls are also indexed by id. */
import { ChurnMap } from '../lib/churn-map';
import { scopeOf } from '../store/idempotency-scope';
import type { InvocationStart } from '../store/store';
import { Deadlines } from './deadlines';
import type { PendingCall } from './pending-call';

type Scope = Pick<InvocationStart, 'agentKeyId' | 'idempotencyKey'>;

export class CallDirectory {
  /** Called with a message when a call receives an event that its state does not allow. */
  readonly onImpossible: (message: string) => void;
  readonly deadlines = new Deadlines();
  readonly #all = new ChurnMap<PendingCall, true>();
  readonly #byScope = new ChurnMap<string, PendingCall>();
  readonly #claimed = new ChurnMap<string, PendingCall>();

  constructor(onImpossible: (message: string) => void = throwImpossible) {
    this.onImpossible = onImpossible;
  }

  [Symbol.iterator](): Iterator<PendingCall> {
    return this.#all.keys();
  }

  add(call: PendingCall): void {
    this.#all.set(call, true);
    const scope = scopeOf(call.record);
    // When this node adopts a call that a retry already follows, the scope stays with the retry.
    if (scope !== undefined && !isLive(this.#byScope.get(scope))) this.#byScope.set(scope, call);
  }

  delete(call: PendingCall): void {
    this.#all.delete(call);
    const scope = scopeOf(call.record);
    if (scope !== undefined && this.#byScope.get(scope) === call) this.#byScope.delete(scope);
    if (this.#claimed.get(call.id) === call) this.#claimed.delete(call.id);
  }

  /** The running call that a request with this idempotency key joins. */
  inScope(record: Scope): PendingCall | undefined {
    const scope = scopeOf(record);
    const call = scope === undefined ? undefined : this.#byScope.get(scope);
    return isLive(call) ? call : undefined;
  }

  /** The call that this node has claimed under this id. */
  claimed(id: string): PendingCall | undefined {
    return this.#claimed.get(id);
  }

  /** Called by the call when it gains or loses its claim. */
  claimChanged(call: PendingCall): void {
    if (call.isClaimed) this.#claimed.set(call.id, call);
    else if (this.#claimed.get(call.id) === call) this.#claimed.delete(call.id);
  }
}

/** Nothing joins a call that all its callers left before it ran: it ends without running. */
function isLive(call: PendingCall | undefined): boolean {
  return call !== undefined && (call.abandoned === undefined || call.mayHaveRun);
}

function throwImpossible(message: string): never {
  throw new Error(message);
}
