/**
 * One run of an action on this side: when it must end, its outcome, and how that is delivered.
 *
 * Units: `deadline` in milliseconds since the epoch, by this machine's clock.
 */
import type { InvokeParams } from '../protocol/frames';
import type { Payment, Progress } from '../protocol/http';
import type { Action } from './action-definition';
import type { ContextSource } from './context';
import { LONGEST_TIMER_MS } from './timers';

/**
 * The service itself reports a passed deadline; this timer is for a lost connection. Without the grace, a handler that stops at its deadline would
 * count as failed when its clock is a moment ahead.
 */
const DEADLINE_GRACE_MS = 50;

/**
 * `answer`: on the connection that it came on. `result`: as a request on a later one. `unclear`: until the service has said what it waits for.
 * `nothing`: nobody waits any more.
 */
export type Delivery = 'answer' | 'result' | 'unclear' | 'nothing';

export class Invocation implements ContextSource {
  readonly id: string;
  readonly definition: Action;
  /** Undefined once the invocation has ended: only its outcome is of use then. */
  payload: unknown;
  readonly agentId: string;
  readonly userId: string | undefined;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly deadline: number;
  readonly payment: Payment | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  delivery: Delivery = 'answer';
  /** Members of the answer's JSON text: `"result":…` with what is beside it, or `"error":…`. Undefined until the invocation ended. */
  outcome: string | undefined;
  readonly #sendProgress: (invocation: Invocation, progress: Progress) => void;
  #controller: AbortController | undefined;
  #aborted: DOMException | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    id: string,
    definition: Action,
    { payload, agentId, userId, idempotencyKey, attempt, timeoutMs, payment, traceparent, tracestate }: InvokeParams,
    sendProgress: (invocation: Invocation, progress: Progress) => void,
  ) {
    this.id = id;
    this.definition = definition;
    this.payload = payload ?? {};
    this.agentId = agentId;
    this.userId = userId;
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.deadline = Date.now() + timeoutMs;
    this.payment = payment;
    this.traceparent = traceparent;
    this.tracestate = tracestate;
    this.#sendProgress = sendProgress;
  }

  get action(): string {
    return this.definition.name;
  }

  /** Made when the handler first asks for it: most never do. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted);
      else if (this.outcome === undefined) this.#abortAtDeadline();
    }
    return this.#controller.signal;
  }

  sendProgress(progress: Progress): void {
    if (this.outcome === undefined) this.#sendProgress(this, progress);
  }

  abort(name: 'AbortError' | 'TimeoutError', message: string): void {
    if (this.#aborted || this.outcome !== undefined) return;
    clearTimeout(this.#timer);
    this.#aborted = new DOMException(message, name);
    this.#controller?.abort(this.#aborted);
  }

  end(outcome: string): void {
    clearTimeout(this.#timer);
    this.outcome = outcome;
    this.payload = undefined;
  }

  #abortAtDeadline(): void {
    const leftMs = Math.min(LONGEST_TIMER_MS, this.deadline - Date.now() + DEADLINE_GRACE_MS);
    this.#timer = setTimeout(() => this.abort('TimeoutError', `The deadline of ${this.id} has passed`), leftMs);
  }
}
