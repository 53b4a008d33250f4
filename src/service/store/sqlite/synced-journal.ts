/**
 * A journal that survives a loss of power: what was appended is on the disk. One wait for the disk serves all entries that came during the one
 * before it.
 *
 * Errors: `append` rejects with the system's error, and then nothing of its group is in the file.
 */
import { close, closeSync, fdatasync, fsync, ftruncateSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Journal, LONG_BYTES } from './journal';
import { encode, type JournalEntry } from './journal-entry';
import { beginJournal, JOURNAL_MODE, writeAll } from './journal-file';

const syncData = promisify(fdatasync);
const sync = promisify(fsync);

export class SyncedJournal implements Journal {
  readonly #path: string;
  #file: number;
  #bytes = 0;
  #waiting = '';
  /** The group that gathers now. */
  #group: Promise<void> | undefined;
  /** One thing at a time is done to the file. Never rejects. */
  #busy: Promise<unknown> = Promise.resolve();

  /** Begins the file anew; `readJournal` comes first. */
  constructor(path: string) {
    this.#path = path;
    this.#file = beginJournal(path);
  }

  get isLong(): boolean {
    return this.#bytes >= LONG_BYTES;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#waiting += encode(entry);
    this.#group ??= setImmediate().then(() => this.#inTurn(() => this.#writeWaiting()));
    return this.#group;
  }

  restart(entries: () => JournalEntry[]): Promise<void> {
    return this.#inTurn(() => this.#replace(entries()));
  }

  async close(): Promise<void> {
    try {
      await this.#inTurn(() => this.#writeWaiting());
    } finally {
      closeSync(this.#file);
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#busy.then(work);
    this.#busy = done.catch(() => {});
    return done;
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    this.#group = undefined;
    if (text === '') return;
    try {
      const bytes = writeAll(this.#file, text, this.#bytes);
      await syncData(this.#file);
      this.#bytes += bytes;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }

  async #replace(entries: JournalEntry[]): Promise<void> {
    // It is among the entries, and whoever waits for it gets his turn after this.
    const waiting = this.#waiting;
    this.#waiting = '';
    let file: number | undefined;
    try {
      const next = `${this.#path}.next`;
      file = openSync(next, 'w', JOURNAL_MODE);
      this.#bytes = await this.#install(next, file, entries.map(encode).join(''));
    } catch (error) {
      if (file !== undefined) closeSync(file);
      this.#waiting = waiting + this.#waiting;
      throw error;
    }
    close(this.#file);
    this.#file = file;
  }

  /** Its data come to the disk before its name does. */
  async #install(next: string, file: number, text: string): Promise<number> {
    const bytes = writeAll(file, text);
    await syncData(file);
    renameSync(next, this.#path);
    await this.#syncDirectory();
    return bytes;
  }

  async #syncDirectory(): Promise<void> {
    const directory = openSync(dirname(this.#path), 'r');
    try {
      await sync(directory);
    } finally {
      closeSync(directory);
    }
  }
}
