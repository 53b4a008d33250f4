/** The calls that this node runs or waits for: by idempotency scope, and by id those that it has claimed. */
import { scopeOf } from '../store/idempotency-scope';
import type { InvocationStart } from '../store/store';
import { Deadlines } from './deadlines';
import type { PendingCall } from './pending-call';

type Scope = Pick<InvocationStart, 'agentKeyId' | 'idempotencyKey'>;

export class CallDirectory {
  /** Called with a message when an event comes to a call in a state that does not allow it. */
  readonly onImpossible: (message: string) => void;
  /** Of all callers. */
  readonly deadlines = new Deadlines();
  readonly #all = new Set<PendingCall>();
  readonly #byScope = new Map<string, PendingCall>();
  readonly #claimed = new Map<string, PendingCall>();

  constructor(onImpossible: (message: string) => void = throwImpossible) {
    this.onImpossible = onImpossible;
  }

  [Symbol.iterator](): Iterator<PendingCall> {
    return this.#all.values();
  }

  add(call: PendingCall): void {
    this.#all.add(call);
    const scope = scopeOf(call.record);
    // A retry may follow a call that becomes this node's only now: the retry keeps the scope.
    if (scope !== undefined && !isLive(this.#byScope.get(scope))) this.#byScope.set(scope, call);
  }

  delete(call: PendingCall): void {
    this.#all.delete(call);
    const scope = scopeOf(call.record);
    if (scope !== undefined && this.#byScope.get(scope) === call) this.#byScope.delete(scope);
    if (this.#claimed.get(call.id) === call) this.#claimed.delete(call.id);
  }

  /** The call that an equal one joins. */
  inScope(record: Scope): PendingCall | undefined {
    const scope = scopeOf(record);
    const call = scope === undefined ? undefined : this.#byScope.get(scope);
    return isLive(call) ? call : undefined;
  }

  /** The call that this node has claimed under this id. */
  claimed(id: string): PendingCall | undefined {
    return this.#claimed.get(id);
  }

  /** Kept by the call itself. */
  claimChanged(call: PendingCall): void {
    if (call.isClaimed) this.#claimed.set(call.id, call);
    else if (this.#claimed.get(call.id) === call) this.#claimed.delete(call.id);
  }
}

/** A call that all callers left before it could run only comes to its end. */
function isLive(call: PendingCall | undefined): boolean {
  return call !== undefined && (call.abandoned === undefined || call.mayHaveRun);
}

function throwImpossible(message: string): never {
  throw new Error(message);
}
