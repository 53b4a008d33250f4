/**
 * A file that is there whole or not at all, for its owner's eyes: what is in it are hashes of keys and results of calls.
 *
 * Errors: INVALID_REQUEST for a path that is taken or cannot be written; the system's error for what has no cure. Nothing is left behind then.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../../protocol/errors';
import { explained } from '../sqlite/connection';

const MODE = 0o600;

export interface NewFileOptions {
  /** Replaces the file that is there. */
  force: boolean;
}

/** @param write fills the empty file whose path it gets, and resolves with what this does */
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
  if (!lstatSync(path).isFile()) throw new SvcError('INVALID_REQUEST', `${path} is no file that can be replaced: name another`);
  if (!force) throw new SvcError('INVALID_REQUEST', `${path} is there already: name another file, or replace it with --force`);
}

/** A power cut after this must not take it away again. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
