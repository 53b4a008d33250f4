/**
 * Writes a file atomically, readable only for its owner: it contains hashes of keys and results of calls.
 *
 * Errors: INVALID_REQUEST for a path that is taken or not writable; otherwise the system's error. No partial file remains.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '#sdk/protocol/errors';
import { explained } from '../sqlite/connection';

const MODE = 0o600;

export interface NewFileOptions {
  /** Replace an existing file. */
  force: boolean;
}

/** @param write fills the empty file at the given path; its result is returned */
export async function writeNewFile<T>(path: string, { force }: NewFileOptions, write: (unfinished: string) => Promise<T>): Promise<T> {
  requireFree(path, force);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    await (await open(unfinished, 'wx', MODE)).close();
    const result = await write(unfinished);
    await flush(unfinished);
    await rename(unfinished, path);
    await flush(dirname(path));
    return result;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explained(error, `Cannot write ${path}`, path);
  }
}

function requireFree(path: string, force: boolean): void {
  if (existsSync(`${path}-calls`) || existsSync(`${path}-wal`))
    throw new SvcError('INVALID_REQUEST', `${path} belongs to the data of a service: name another file`);
  if (!existsSync(path)) return;
  if (!lstatSync(path).isFile()) throw new SvcError('INVALID_REQUEST', `${path} is not a regular file: name another file`);
  if (!force) throw new SvcError('INVALID_REQUEST', `${path} already exists: name another file, or replace it with --force`);
}

/** Flushes the file or directory to disk, so that it survives a power loss. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
