/**
 * Allows one service per data file. The lock is a transaction on a separate file, so that it ends with the process, even after a crash.
 */
import type { DatabaseSync as DatabaseSyncType } from 'node:sqlite';
import { SvcError } from '#sdk/protocol/errors';

const SQLITE_BUSY = 5;

/** Returns the release function. Throws INVALID_REQUEST when another process, or another store of this process, holds the lock. */
export async function lockData(path: string): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite');
  let lock: DatabaseSyncType | undefined;
  try {
    const opened = new DatabaseSync(`${path}-lock`);
    lock = opened;
    opened.exec('BEGIN EXCLUSIVE');
    return () => opened.close();
  } catch (error) {
    lock?.close();
    const { errcode, message: said } = error as Error & { errcode?: number };
    const message =
      errcode === SQLITE_BUSY
        ? `Another service runs on ${path}; stop it, or name another data directory`
        : `Cannot lock ${path}-lock: ${said}; give this user the right to write there, or name another data directory`;
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
}
