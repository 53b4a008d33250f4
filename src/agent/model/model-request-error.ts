/** A failed model request, with the data for retries. Error messages never hold a key. */
export interface ModelRequestErrorDetails extends ErrorOptions {
  /** HTTP status of the model's server; undefined if there was no answer. */
  status?: number | undefined;
  /** The wait that the server required, in milliseconds. */
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

  /** True without an answer, and for 408, 409, 429 and 5xx. */
  get isRetryable(): boolean {
    const { status } = this;
    return status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
  }
}
