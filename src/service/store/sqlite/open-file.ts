/** Opens the database, and turns what can go wrong with a path into an error that names the path and the cure. */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../../protocol/errors';
import type { Durability } from '../store';

/** How long a write waits for another process's transaction; they are short. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Of every connection; most of them last only as long as it does. */
export function pragmas(durability: Durability): string {
  return [
    // By pragma, since the `timeout` option is younger than Node 22.13.
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'foreign_keys = ON',
    // WAL: readers and the writer do not wait for each other. NORMAL: a commit survives the process's death; the last ones may fall to a power cut.
    'journal_mode = WAL',
    `synchronous = ${durability}`,
    // A checkpoint waits for the disk: one for each 32 MB of changes instead of 4.
    'wal_autocheckpoint = 8000',
  ]
    .map((pragma) => `PRAGMA ${pragma};`)
    .join(' ');
}

/** Cures by the name of a system error. */
const FILE_CURES: Record<string, (path: string) => string> = {
  ENOENT: (path) => `create the directory ${dirname(path)} first`,
  ENOTDIR: (path) => `${dirname(path)} is no directory`,
  EISDIR: () => 'it is a directory; name a file inside it',
  EACCES: () => 'give this user the right to read and write it, or name another file',
  EPERM: () => 'give this user the right to read and write it, or name another file',
  EROFS: () => 'it is on a read-only file system; name a file elsewhere',
};

/** Cures by SQLite's primary result code, https://www.sqlite.org/rescode.html. */
const SQLITE_CURES: Record<number, string> = {
  5: 'another process holds it locked; stop that process and try again',
  8: 'it is read-only; give this user the right to write it and to make files beside it',
  11: 'it is damaged; restore it from a backup, or name a new file',
  13: 'the disk is full; make room',
  14: 'give this user the right to make files in its directory',
  26: 'it is no SQLite database; name another file',
};

export async function openFile(
  path: string,
  prepare: (database: DatabaseSync) => void,
  durability: Durability = 'normal',
): Promise<DatabaseSync> {
  // Loaded when used: runtimes without it can still use other stores.
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    // The file holds results of calls: for its owner's eyes. SQLite gives its companions (-wal, -shm) the same mode.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    database = new DatabaseSync(path);
    database.exec(pragmas(durability));
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    throw withCure(error, path);
  }
}

function withCure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || SvcError.is(error)) return error;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  const cure = errcode === undefined ? FILE_CURES[code ?? '']?.(path) : SQLITE_CURES[errcode & 0xff];
  if (cure === undefined) return error;
  return new SvcError('INVALID_REQUEST', `Cannot open the database ${path}: ${cure}`, {}, { cause: error });
}
