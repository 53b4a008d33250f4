/**
 * An append-only file of the commits that SQLite does not have yet. One append for all calls of an event-loop turn takes a twentieth of the time
 * of a transaction and is as durable: it survives a crash of the process, and with `full`, where it is flushed to disk, a power loss.
 *
 * Errors: `append` fails with the system's error and leaves nothing of its text in the file.
 */
import { close, closeSync, fdatasync, fsync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { CallJournal } from '../../call-engine';
import type { Durability, InvocationRecord } from '../../store';
import { encodeCall } from './entries';

const syncData = promisify(fdatasync);
const sync = promisify(fsync);

/** Length from which on a new file is worth its cost, which is that of some hundred calls. */
export const LONG_BYTES = 4 * 1024 * 1024;
/** The file holds results of calls: only its owner may read it. */
const MODE = 0o600;
/** Room for some hundred starts. */
const PROBE = ' '.repeat(64 * 1024);

export class Journal implements CallJournal {
  readonly #path: string;
  readonly #durability: Durability;
  #file: number;
  #bytes = 0;

  /** Creates an empty file. Call `readJournal` first. */
  constructor(path: string, durability: Durability) {
    this.#path = path;
    this.#durability = durability;
    // Removed, not truncated, so that a process that is reading it, such as a backup, can read to its end.
    rmSync(path, { force: true });
    this.#file = openSync(path, 'w', MODE);
  }

  get isLong(): boolean {
    return this.#bytes >= LONG_BYTES;
  }

  /** Durable when it returns; with `full`, when its promise resolves. Calls must not overlap. */
  append(text: string): void | Promise<void> {
    try {
      const bytes = writeAll(this.#file, text, this.#bytes);
      if (this.#durability === 'full') return this.#synced(bytes);
      this.#bytes += bytes;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }

  /** Throws while the disk has no room for the next calls. Leaves nothing in the file. Must not run during an append. */
  probe(): void {
    try {
      writeAll(this.#file, PROBE, this.#bytes);
    } finally {
      ftruncateSync(this.#file, this.#bytes);
    }
  }

  async #synced(bytes: number): Promise<void> {
    try {
      await syncData(this.#file);
      this.#bytes += bytes;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }

  async restart(records: () => Iterable<InvocationRecord>): Promise<void> {
    const next = `${this.#path}.next`;
    const file = openSync(next, 'w', MODE);
    try {
      const bytes = writeAll(file, Array.from(records(), encodeCall).join(''), 0);
      // Flush the data before the rename.
      if (this.#durability === 'full') await syncData(file);
      renameSync(next, this.#path);
      this.#bytes = bytes;
    } catch (error) {
      closeSync(file);
      throw error;
    }
    // Asynchronous: closing the old file frees its pages, which takes milliseconds.
    close(this.#file);
    this.#file = file;
    if (this.#durability === 'full') await syncDirectory(dirname(this.#path));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Writes all of the text or throws, since a full disk can accept a part. Returns the number of bytes. */
function writeAll(file: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, 'r');
  try {
    await sync(directory);
  } finally {
    closeSync(directory);
  }
}
