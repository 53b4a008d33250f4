/**
 * The callers that wait for one call: the first caller, retries with the same idempotency key, and other nodes.
 *
 * A caller that leaves (deadline, cancel, refused key) gets its own error at once. When the last one has left, the call is abandoned until
 * another caller joins.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Progress } from '#sdk/protocol/http';
import type { Ended } from './call-state';
import { DeadlineEntry, type Deadlines } from './deadlines';

export interface WaitingCaller {
  keyId: string;
  timeoutMs: number;
  /** A draining node does not wait for this caller. */
  detached?: boolean | undefined;
  /** Calls `listener` when the caller disconnects; immediately when it already has. */
  onDisconnect(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Called once, with the end of the call or with the error with which this caller left. */
  answer(ended: Ended): void;
}

/** The call that the callers wait for. */
export interface AwaitedCall {
  readonly id: string;
  readonly mayHaveRun: boolean;
  /** Called when the last caller has left, with its error. */
  abandon(error: SvcError): void;
}

export class Waiters {
  readonly #call: AwaitedCall;
  readonly #deadlines: Deadlines;
  /** Most calls have one caller and no listeners, so the sets are created on demand. */
  #first: Waiter | undefined;
  #more: Set<Waiter> | undefined;
  #abandoned: SvcError | undefined;
  #onAbandoned: Set<(error: SvcError) => void> | undefined;
  #onWanted: Set<() => void> | undefined;

  constructor(call: AwaitedCall, deadlines: Deadlines) {
    this.#call = call;
    this.#deadlines = deadlines;
  }

  /** Whether a caller waits for an answer over a connection to this node. */
  get hasAttached(): boolean {
    return this.#all().some(({ caller }) => !caller.detached);
  }

  get size(): number {
    return (this.#first ? 1 : 0) + (this.#more?.size ?? 0);
  }

  /** The error of the last caller that left; undefined while a caller waits. */
  get abandoned(): SvcError | undefined {
    return this.#abandoned;
  }

  add(caller: WaitingCaller): void {
    const waiter = new Waiter(caller, this);
    if (this.#first) {
      this.#more ??= new Set();
      this.#more.add(waiter);
    } else this.#first = waiter;
    this.#deadlines.add(waiter);
    const isWantedAgain = this.#abandoned !== undefined;
    this.#abandoned = undefined;
    caller.onDisconnect(() => waiter.disconnect());
    if (isWantedAgain && this.#onWanted) for (const listener of [...this.#onWanted]) listener();
  }

  report(progress: Progress): void {
    for (const { caller } of this.#all()) caller.onProgress?.(progress);
  }

  end(ended: Ended): void {
    const first = this.#first;
    const more = this.#more;
    this.#first = undefined;
    this.#more = undefined;
    if (first) this.#answer(first, ended);
    if (more) for (const waiter of more) this.#answer(waiter, ended);
  }

  /** Answers the callers that match with `error` and removes them. */
  dismiss(error: SvcError, matches: (caller: WaitingCaller) => boolean): void {
    for (const waiter of this.#all()) if (matches(waiter.caller)) this.leave(waiter, error);
  }

  /** Does nothing for a waiter that was answered already. */
  leave(waiter: Waiter, error: SvcError): void {
    if (this.#first === waiter) this.#first = undefined;
    else if (!this.#more?.delete(waiter)) return;
    this.#answer(waiter, { error });
    if (this.size === 0) this.#abandon(error);
  }

  /** Removes all callers, and abandons a call that has none since a restart. */
  cancel(error: SvcError): void {
    if (this.size > 0) this.dismiss(error, () => true);
    else if (this.#abandoned === undefined) this.#abandon(error);
  }

  /** Calls `listener` when the last caller leaves. Returns a function that removes the listener. */
  whenAbandoned(listener: (error: SvcError) => void): () => void {
    this.#onAbandoned ??= new Set();
    return addTo(this.#onAbandoned, listener);
  }

  /** Calls `listener` when a caller joins after the last one had left. Returns a function that removes the listener. */
  whenWanted(listener: () => void): () => void {
    this.#onWanted ??= new Set();
    return addTo(this.#onWanted, listener);
  }

  cancelledError(): SvcError {
    const { id } = this.#call;
    return new SvcError('INVOCATION_CANCELLED', `The caller of ${id} cancelled`, { invocationId: id });
  }

  timeoutError(timeoutMs: number): SvcError {
    const { id, mayHaveRun } = this.#call;
    const message = mayHaveRun
      ? `No result of ${id} in ${timeoutMs} ms; the action may still have run`
      : `No process had room for ${id} in ${timeoutMs} ms; the action did not run`;
    return new SvcError('INVOCATION_TIMEOUT', message, { invocationId: id, retryable: !mayHaveRun });
  }

  #abandon(error: SvcError): void {
    this.#abandoned = error;
    this.#call.abandon(error);
    if (this.#onAbandoned) for (const listener of [...this.#onAbandoned]) listener(error);
  }

  #answer(waiter: Waiter, ended: Ended): void {
    this.#deadlines.remove(waiter);
    waiter.caller.answer(ended);
  }

  #all(): Waiter[] {
    return [...(this.#first ? [this.#first] : []), ...(this.#more ?? [])];
  }
}

class Waiter extends DeadlineEntry {
  readonly caller: WaitingCaller;
  readonly #waiters: Waiters;

  constructor(caller: WaitingCaller, waiters: Waiters) {
    super(caller.timeoutMs);
    this.caller = caller;
    this.#waiters = waiters;
  }

  override overdue(): void {
    this.#waiters.leave(this, this.#waiters.timeoutError(this.ms));
  }

  disconnect(): void {
    this.#waiters.leave(this, this.#waiters.cancelledError());
  }
}

function addTo<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
