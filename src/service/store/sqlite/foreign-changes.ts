/**
 * Watches a database file for commits of other connections: `PRAGMA data_version` stays the same for our own.
 * One timer, only while somebody listens; it does not keep the process alive.
 */
import type { DatabaseSync } from 'node:sqlite';

const POLL_MS = 250;

export class ForeignChanges {
  readonly #readVersion: () => unknown;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #version: unknown;

  constructor(database: DatabaseSync, onError: (error: unknown) => void) {
    const statement = database.prepare('PRAGMA data_version');
    this.#readVersion = () => statement.get()?.data_version;
    this.#onError = onError;
  }

  listen(listener: () => void): () => void {
    // A wrapper of its own, so that the same function can listen twice.
    const entry = () => listener();
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #start(): void {
    this.#version = this.#readVersion();
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
  }

  #poll(): void {
    try {
      const version = this.#readVersion();
      if (version === this.#version) return;
      this.#version = version;
      for (const listener of this.#listeners) listener();
    } catch (error) {
      this.#onError(error);
    }
  }
}
