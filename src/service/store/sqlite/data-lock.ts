/**
 * One service on one data file. The lock is a transaction on a file of its own, so that it ends with the process, however that ends.
 */
import { SvcError } from '../../../protocol/errors';

/** Returns the release function. Throws INVALID_REQUEST when another process, or another store of this one, serves the data. */
export async function lockData(path: string): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite');
  const lock = new DatabaseSync(`${path}-lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const message = `Another service runs on ${path}; stop it, or name another data directory`;
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
  return () => lock.close();
}
