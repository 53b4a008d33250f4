/**
 * Errors of SQLite and of the journal that pass without a restart.
 *
 * Source: https://www.sqlite.org/rescode.html, errno(3).
 */
import { diskFull, StoreUnavailable } from '../store-unavailable';

/** Primary result codes of SQLite. */
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
/** The disk, or this user's share of it, is full. */
const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** SERVICE_UNAVAILABLE for a full disk, a failing one, and a lock of another process; undefined for any other error. */
export function passingFault(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  const result = errcode === undefined ? undefined : errcode & 0xff;
  if (result === FULL || FULL_CODES.has(code ?? '')) return diskFull(error);
  if (result === IO_ERROR || code === 'EIO')
    return new StoreUnavailable('the disk fails', 'The service cannot read or write its data now; try again later', error);
  if (result === BUSY)
    return new StoreUnavailable(
      'another process has locked the data',
      'Another process has locked the data of the service; try again',
      error,
    );
  return undefined;
}

/** Runs `work`; a passing fault becomes SERVICE_UNAVAILABLE. */
export function withClearErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw passingFault(error) ?? error;
  }
}
