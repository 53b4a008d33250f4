/** A failure of a model, with what an agent must know to go on. No message holds a key. */
export interface ModelRequestErrorDetails extends ErrorOptions {
  /** HTTP status of the model's server; undefined if there was no answer. */
  status?: number | undefined;
  /** The wait that the server asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** True if the conversation is too long for the model. */
  isTooLong?: boolean | undefined;
}

export class ModelRequestError extends Error {
  override readonly name = 'ModelRequestError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isTooLong: boolean;

  constructor(message: string, { status, retryAfterMs, isTooLong = false, ...options }: ModelRequestErrorDetails = {}) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isTooLong = isTooLong;
  }

  /** No answer, 408, 409, 429 and 5xx: another try may succeed. */
  get isRetryable(): boolean {
    const { status } = this;
    return status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
  }
}
