import { SvcError } from '#sdk/protocol/errors';

const RETRY_AFTER_MS = 1_000;

/** The store cannot be read or written now. Nothing of the request was stored. */
export class StoreUnavailable extends SvcError {
  /** A few words for an operator, without names or addresses: `/readyz` shows them. */
  readonly reason: string;

  constructor(reason: string, message: string, cause: unknown) {
    super('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS }, { cause });
    this.reason = reason;
  }
}

/** The fault of a full disk, for both engines. */
export function diskFull(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('the disk is full', 'The service cannot store anything now, its disk is full; try again later', cause);
}
