/**
 * What was promised to callers before SQLite has it: an append-only file. One write system call for all entries of an event-loop turn is a
 * twentieth of a transaction's cost, and as durable: the entries survive the death of the process, not always a loss of power.
 *
 * Errors: `append` rejects with the system's error, and then nothing of its turn is in the file.
 */
import { close, closeSync, ftruncateSync, openSync, renameSync } from 'node:fs';
import { encode, type JournalEntry } from './journal-entry';
import { beginJournal, JOURNAL_MODE, writeAll } from './journal-file';

/** From where on it is worth a new file, whose making and whose end cost as much as some hundred calls. */
export const LONG_BYTES = 4 * 1024 * 1024;

/** Where entries stand until SQLite has them; some of them longer, which does no harm: all of them in their order lead to the same records. */
export interface Journal {
  /** At least `LONG_BYTES`. */
  readonly isLong: boolean;
  /** Resolves when the entry is durable. */
  append(entry: JournalEntry): Promise<void>;
  /** Leaves nothing but these entries: SQLite has the rest, also of what waits to be written. Atomic, by a rename. */
  restart(entries: () => JournalEntry[]): void | Promise<void>;
  /** Writes what waits: afterwards the file's number may be another file's. */
  close(): void | Promise<void>;
}

export class WrittenJournal implements Journal {
  readonly #path: string;
  #file: number;
  #bytes = 0;
  #waiting = '';
  #turn: Promise<void> | undefined;

  /** Begins the file anew; `readJournal` comes first. */
  constructor(path: string) {
    this.#path = path;
    this.#file = beginJournal(path);
  }

  get isLong(): boolean {
    return this.#bytes >= LONG_BYTES;
  }

  /** Resolves when the entry is in the file: at the end of this event-loop turn. */
  append(entry: JournalEntry): Promise<void> {
    this.#waiting += encode(entry);
    this.#turn ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#turn = undefined;
        try {
          this.#writeWaiting();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#turn;
  }

  restart(entries: () => JournalEntry[]): void {
    const next = `${this.#path}.next`;
    const file = openSync(next, 'w', JOURNAL_MODE);
    try {
      const bytes = writeAll(file, entries().map(encode).join(''));
      renameSync(next, this.#path);
      this.#bytes = bytes;
    } catch (error) {
      closeSync(file);
      throw error;
    }
    // Not in this thread: it is the end of the former file, and freeing its pages takes milliseconds.
    close(this.#file);
    this.#file = file;
    this.#waiting = '';
  }

  close(): void {
    try {
      this.#writeWaiting();
    } finally {
      closeSync(this.#file);
    }
  }

  #writeWaiting(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text === '') return;
    try {
      this.#bytes += writeAll(this.#file, text, this.#bytes);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }
}
