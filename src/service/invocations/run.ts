/**
 * One accepted call and everyone who waits for its outcome: the first caller, and retries with the same idempotency key.
 *
 * A caller that leaves (deadline, cancel, refused key) gets its own error at once; when the last one has left, `onAbandoned` is told.
 */
import { SvcError } from '../../protocol/errors';
import type { Progress } from '../../protocol/http';
import type { Invocation } from '../hub/invocation';
import type { InvocationStart } from '../store/store';

/** JSON text of an `InvokeResponse`, or why there is none. */
export type Ended = { responseJson: string } | { error: SvcError };

export interface Caller {
  keyId: string;
  timeoutMs: number;
  /** Calls back when the caller has gone; at once when it has already. */
  whenGone(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

export class Run {
  readonly record: InvocationStart;
  readonly invocation: Invocation;
  /** What was understood although it was not said right. */
  readonly repaired: string[];
  /** Set when nobody waits any more: what the last caller was told. */
  abandoned: SvcError | undefined;
  /** From here on only the handler's process can say what happened. */
  sent = false;
  readonly #onAbandoned = new Set<(error: SvcError) => void>();
  readonly #callers = new Map<Caller, (error: SvcError) => void>();
  #ended: Ended | undefined;
  readonly #onEnded = new Set<(ended: Ended) => void>();

  constructor(record: InvocationStart, invocation: Invocation, repaired: string[]) {
    this.record = record;
    this.invocation = invocation;
    this.repaired = repaired;
    invocation.onProgress = (progress) => {
      for (const caller of this.#callers.keys()) caller.onProgress?.(progress);
    };
  }

  end(ended: Ended): void {
    this.#ended = ended;
    for (const listener of this.#onEnded) listener(ended);
    this.#onEnded.clear();
  }

  /** Rejects with SvcError. */
  wait(caller: Caller): Promise<string> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        this.#callers.delete(caller);
        this.#onEnded.delete(onEnded);
      };
      const onEnded = (ended: Ended) => {
        finish();
        if ('error' in ended) reject(ended.error);
        else resolve(ended.responseJson);
      };
      const leave = (error: SvcError) => {
        // Gone after its answer: nobody left.
        if (!this.#callers.has(caller)) return;
        finish();
        reject(error);
        if (this.#callers.size === 0) this.#abandon(error);
      };
      const onGone = () =>
        leave(new SvcError('INVOCATION_CANCELLED', `The caller of ${this.record.id} cancelled`, { invocationId: this.record.id }));
      const timer = setTimeout(() => leave(this.#timeout(caller.timeoutMs)), caller.timeoutMs);
      if (this.#ended) return onEnded(this.#ended);
      this.#callers.set(caller, leave);
      this.#onEnded.add(onEnded);
      caller.whenGone(onGone);
    });
  }

  /** Every caller that `matches` is told `error`, and has left. */
  dismiss(error: SvcError, matches: (caller: Caller) => boolean = () => true): void {
    for (const [caller, leave] of [...this.#callers]) if (matches(caller)) leave(error);
  }

  /** Returns the function that stops listening. */
  whenAbandoned(listener: (error: SvcError) => void): () => void {
    this.#onAbandoned.add(listener);
    return () => void this.#onAbandoned.delete(listener);
  }

  #abandon(error: SvcError): void {
    this.abandoned = error;
    for (const listener of this.#onAbandoned) listener(error);
  }

  #timeout(timeoutMs: number): SvcError {
    const { id } = this.record;
    const message = this.sent
      ? `No result of ${id} in ${timeoutMs} ms; the action may still have run`
      : `No process had room for ${id} in ${timeoutMs} ms; the action did not run`;
    return new SvcError('INVOCATION_TIMEOUT', message, { invocationId: id, retryable: !this.sent });
  }
}
