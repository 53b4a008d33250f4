/**
 * One run of an action in this process: its deadline, its outcome, and how the outcome is delivered.
 *
 * Units: `deadline` in milliseconds since the epoch, by this machine's clock.
 */
import type { FrameConnection } from '../protocol/connections';
import type { InvokeParams } from '../protocol/frames';
import type { Payment, Progress } from '../protocol/http';
import { type ActionConnection, InvocationConnection } from './action-connection';
import type { Action } from './action-definition';
import type { ContextSource } from './context';
import { LONGEST_TIMER_MS } from './timers';

/**
 * The service reports a passed deadline; this timer covers a lost connection. Without the grace, a handler that stops at its deadline would
 * count as failed when its clock is a little ahead.
 */
const DEADLINE_GRACE_MS = 50;

/**
 * `answer`: on the connection on which the invocation arrived. `result`: as a request on a later connection. `unclear`: until the service
 * lists the awaited invocations. `nothing`: the outcome is not awaited.
 */
export type Delivery = 'answer' | 'result' | 'unclear' | 'nothing';

/** The part of the service that an invocation uses while it runs. */
export interface InvocationPort {
  sendProgress(invocation: Invocation, progress: Progress): void;
  /** Resolves with another connection for the invocation, whose API refused the one that it has. */
  renewConnection(invocation: Invocation): Promise<FrameConnection>;
}

export class Invocation implements ContextSource {
  readonly id: string;
  readonly definition: Action;
  /** Undefined after the invocation has ended, to free memory. */
  payload: unknown;
  /** Undefined after the end too. */
  connection: ActionConnection | undefined;
  readonly agentId: string;
  readonly userId: string | undefined;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly deadline: number;
  readonly payment: Payment | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  delivery: Delivery = 'answer';
  /**
   * Members of the answer as JSON text: `"result":…` with content and payment, or `"error":…`. Undefined until the invocation has ended.
   */
  outcome: string | undefined;
  readonly #port: InvocationPort;
  #controller: AbortController | undefined;
  #aborted: DOMException | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    id: string,
    definition: Action,
    { payload, agentId, userId, connection, idempotencyKey, attempt, timeoutMs, payment, traceparent, tracestate }: InvokeParams,
    port: InvocationPort,
  ) {
    this.id = id;
    this.definition = definition;
    this.payload = payload ?? {};
    this.agentId = agentId;
    this.userId = userId;
    this.connection = connection && new InvocationConnection(connection, () => port.renewConnection(this));
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.deadline = Date.now() + timeoutMs;
    this.payment = payment;
    this.traceparent = traceparent;
    this.tracestate = tracestate;
    this.#port = port;
  }

  get action(): string {
    return this.definition.name;
  }

  /** Created on first use: most handlers do not use the signal. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted);
      else if (this.outcome === undefined) this.#abortAtDeadline();
    }
    return this.#controller.signal;
  }

  sendProgress(progress: Progress): void {
    if (this.outcome === undefined) this.#port.sendProgress(this, progress);
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
    this.connection = undefined;
  }

  #abortAtDeadline(): void {
    const leftMs = Math.min(LONGEST_TIMER_MS, this.deadline - Date.now() + DEADLINE_GRACE_MS);
    this.#timer = setTimeout(() => this.abort('TimeoutError', `The deadline of ${this.id} has passed`), leftMs);
  }
}
