/** A failure that a handler reports. Agents see ACTION_FAILED with this code and message as `cause`. */
export interface ActionErrorOptions {
  /** Details for the model, as JSON. */
  data?: unknown;
  /** True when the call had no effect and may succeed later. A retry then runs the handler again under the same idempotency key. */
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
