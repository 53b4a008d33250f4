/**
 * A lock file, so that one process at a time writes the files of a folder.
 *
 * Shape:  the file contains the pid of the writer. The lock of an exited process is removed.
 * Errors: CONFLICT if another process holds the lock for longer than 10 seconds.
 */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SvcError } from 'svc-sdk';
import { isProcessAlive } from './is-process-alive';

const TIMEOUT_MS = 10_000;
const RETRY_MS = 20;

/** Locks of this process. In a container the next process often has the same pid as the former one. */
const held = new Set<string>();

export async function withWriteLock<Result>(lock: string, write: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(lock), { recursive: true });
  await acquire(lock);
  try {
    return await write();
  } finally {
    await rm(lock, { force: true });
    held.delete(lock);
  }
}

async function acquire(lock: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await create(lock))) {
    const writer = await readFile(lock, 'utf8').catch(ifMissing(''));
    if (isLeft(lock, writer)) await removeLock(lock, writer);
    else if (performance.now() > deadline)
      throw new SvcError(
        'CONFLICT',
        `Process ${writer} is writing in ${dirname(lock)}: try again, or remove ${basename(lock)} if it is not`,
      );
    else await setTimeout(RETRY_MS * (1 + Math.random()));
  }
}

async function create(lock: string): Promise<boolean> {
  if (held.has(lock)) return false;
  held.add(lock);
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    held.delete(lock);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** If two processes find the same lock, the slower one may take the new lock of the faster one. The slower one then restores it. */
async function removeLock(lock: string, writer: string): Promise<void> {
  const removed = `${lock}.${crypto.randomUUID()}`;
  await rename(lock, removed).catch(ifMissing(undefined));
  if ((await readFile(removed, 'utf8').catch(ifMissing(writer))) !== writer) await link(removed, lock).catch(() => {});
  await rm(removed, { force: true });
}

function isLeft(lock: string, writer: string): boolean {
  // A process writes its pid after it has created the file.
  if (writer === '') return false;
  return Number(writer) === process.pid ? !held.has(lock) : !isProcessAlive(Number(writer));
}

function ifMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
