/** What a handler gets beside its payload. */
import type { Progress } from '../protocol/http';
import { ActionError, type ActionErrorOptions } from './action-error';

export interface ActionContext {
  /** Name of the action, without the toolkit id. */
  readonly action: string;
  readonly invocationId: string;
  /** The agent key's id: the same for all calls of one agent, never the key itself. */
  readonly agentId: string;
  /**
   * Names the call, whoever retries it: the caller's own key, or the invocation id when it gave none. Unique among the calls of one agent, so
   * give `${agentId} ${idempotencyKey}` to an API that must not do the same thing twice.
   */
  readonly idempotencyKey: string;
  /** From 1. More: a process that had the call before is gone, and may have run it in part or whole. Only idempotent and read-only actions. */
  readonly attempt: number;
  /** When the caller stops waiting. */
  readonly deadline: Date;
  /** Aborts when the caller cancels (`AbortError`) or the deadline passes (`TimeoutError`); pass it on to `fetch` and the like. */
  readonly signal: AbortSignal;
  /** W3C Trace Context of the call, to go with what the handler asks of others; undefined when neither caller nor service sent one. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /**
   * Sets the result and gives it back: `return ctx.result(value)` and `ctx.result(value)` alone are the same. It is sent when the handler ends;
   * the last call counts, and a returned value other than undefined counts more. Becomes plain JSON, as `JSON.stringify` does it and besides:
   * bigint -> text, Map -> object, Set -> array, bytes -> base64, undefined -> null.
   */
  readonly result: <Value>(value: Value) => Value;
  /** Makes an error to throw or return: the agent sees its code and message, and `data` if given. */
  readonly error: (code: string, message: string, options?: ActionErrorOptions) => Error;
  /** Tells the waiting caller how far this is. Lost when the connection is down; not sent when `progress` is no finite number. */
  readonly progress: (progress: Progress) => void;
}

/** What an invocation is to its context. */
export interface ContextSource {
  readonly id: string;
  readonly action: string;
  readonly agentId: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  sendProgress(progress: Progress): void;
}

/** Getters keep the common call cheap: no signal, timer or date unless the handler asks. Functions are fields, so that they can be taken out. */
export class InvocationContext implements ActionContext {
  readonly #source: ContextSource;
  /** What `result` was last called with. */
  lastResult: unknown;

  constructor(source: ContextSource) {
    this.#source = source;
  }

  get action(): string {
    return this.#source.action;
  }

  get invocationId(): string {
    return this.#source.id;
  }

  get agentId(): string {
    return this.#source.agentId;
  }

  get idempotencyKey(): string {
    return this.#source.idempotencyKey;
  }

  get attempt(): number {
    return this.#source.attempt;
  }

  get deadline(): Date {
    return new Date(this.#source.deadline);
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get traceparent(): string | undefined {
    return this.#source.traceparent;
  }

  get tracestate(): string | undefined {
    return this.#source.tracestate;
  }

  readonly result = <Value>(value: Value): Value => {
    this.lastResult = value;
    return value;
  };

  readonly error = (code: string, message: string, options?: ActionErrorOptions): Error => new ActionError(code, message, options);

  readonly progress = (progress: Progress): void => this.#source.sendProgress(progress);
}
