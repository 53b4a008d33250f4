/**
 * Watches a database file for changes of keys and toolkits by other connections. Each change increments `PRAGMA user_version`, which nothing else
 * uses, in its transaction. `PRAGMA data_version` alone would also change with every batch of calls.
 * One timer runs while there are listeners. It does not keep the process alive.
 */
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from './connection';

const POLL_MS = 250;

/** Call it in the transaction of the change. */
export function countChange(database: DatabaseSync): void {
  database.exec(`PRAGMA user_version = ${readChanges(database) + 1}`);
}

export class FileChanges {
  readonly #database: DatabaseSync;
  readonly #readCommits: () => unknown;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  /** The last `data_version`. Commits of this connection do not change it. */
  #commits: unknown;
  #changes: number;

  constructor(database: DatabaseSync, onError: (error: unknown) => void) {
    const statement = database.prepare('PRAGMA data_version');
    this.#database = database;
    this.#readCommits = () => statement.get()?.data_version;
    this.#onError = onError;
    this.#commits = this.#readCommits();
    this.#changes = readChanges(database);
  }

  /** Runs `write`, which changes keys or toolkits, in one transaction, and notifies other connections. */
  notifyAfter<T>(write: () => T): T {
    const result = transaction(this.#database, () => {
      const written = write();
      countChange(this.#database);
      return written;
    });
    // Not set to the value in the file: that may include a change by another connection, not seen yet.
    this.#changes++;
    return result;
  }

  listen(listener: () => void): () => void {
    // A new function each time, so that the same listener can be added twice.
    const entry = () => listener();
    if (this.#listeners.size === 0) this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #poll(): void {
    try {
      const commits = this.#readCommits();
      if (commits === this.#commits) return;
      this.#commits = commits;
      const changes = readChanges(this.#database);
      if (changes === this.#changes) return;
      this.#changes = changes;
      for (const listener of this.#listeners) listener();
    } catch (error) {
      this.#onError(error);
    }
  }
}

function readChanges(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
