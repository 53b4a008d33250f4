import { SvcError } from '#sdk/protocol/errors';

const RETRY_AFTER_MS = 1_000;
/** The reason of a database that cannot be reached. */
export const AWAY = 'the database cannot be reached';
/** A store that has not answered for so long is away for a caller whose time is over. */
export const LATE_MS = 1_000;

/** The store cannot be read or written now. */
export class StoreUnavailable extends SvcError {
  /** A few words for an operator, without names or addresses: `/readyz` shows them. */
  readonly reason: string;
  /** False if nothing of the request was stored. True if it may have been: the connection broke before the answer. */
  readonly mayBeStored: boolean;

  constructor(reason: string, message: string, cause: unknown, mayBeStored = false) {
    super('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS }, { cause });
    this.reason = reason;
    this.mayBeStored = mayBeStored;
  }
}

export function isUnavailable(error: unknown): error is SvcError {
  return SvcError.is(error) && error.code === 'SERVICE_UNAVAILABLE';
}

/** The `reason` of a fault that makes the store unavailable. Undefined for any other error. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return error.reason;
  return isUnavailable(error) ? AWAY : undefined;
}

/** Resolves with `otherwise` while the store is unavailable. */
export async function whileAway<T, Other>(asked: Promise<T>, otherwise: Other): Promise<T | Other> {
  try {
    return await asked;
  } catch (error) {
    if (isUnavailable(error)) return otherwise;
    throw error;
  }
}

/** Runs `work`, which comes after a write: while the store is unavailable, its error says that something is stored. */
export async function afterWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new StoreUnavailable(faultOf(error) ?? AWAY, error.message, error, true);
  }
}

export function mayBeStored(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.mayBeStored;
}

/**
 * The error for a caller whose request goes on, or may, while the store is away: SERVICE_UNAVAILABLE would say that nothing ran. The same request
 * gets the outcome.
 *
 * @param advice what becomes of the request, and what to do
 */
export function outcomeLater(advice: string, cause: unknown): SvcError {
  const message = `The database of the service does not answer now. ${advice}`;
  return new SvcError('INVOCATION_TIMEOUT', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS }, { cause });
}

/** The fault of a full disk, for both engines. */
export function diskFull(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('the disk is full', 'The service cannot store anything now, its disk is full; try again later', cause);
}
