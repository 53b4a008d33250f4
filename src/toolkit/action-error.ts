/** A failure of an action as its handler reports it. Agents see it as ACTION_FAILED with that code and message as `cause`. */
export interface ActionErrorOptions {
  /** Details that help to do better; any JSON. */
  data?: unknown;
  /** True when the same call may succeed later, and this one had no effect: a retry runs the handler again, under the same idempotency key. */
  retryable?: boolean | undefined;
  /** Wait at least this long before a retry, in milliseconds. */
  retryAfterMs?: number | undefined;
}

export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly code: string;
  readonly options: ActionErrorOptions;

  constructor(code: string, message: string, options: ActionErrorOptions = {}) {
    super(message);
    this.code = code;
    this.options = options;
  }
}
