/**
 * Writes of one event-loop turn in one transaction, since a transaction costs far more than the rows in it.
 *
 * The transaction begins and ends within one piece of synchronous work at the end of the turn: no lock is ever held while anything is awaited.
 * Errors: when one write or the COMMIT fails, all writes of the turn are undone and reject with that error.
 */
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from './transaction';

interface Waiting {
  /** Returns what tells the caller of the commit. */
  readonly write: () => () => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #database: DatabaseSync;
  #waiting: Waiting[] = [];
  #subjects = new Set<string>();
  #turnEnd: NodeJS.Immediate | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Resolves with the result of `write` when it is committed. `subject` is what it is about, for `concerns`. */
  add<T>(subject: string, write: () => T): Promise<T> {
    this.#turnEnd ??= setImmediate(() => this.flush());
    this.#subjects.add(subject);
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        write: () => {
          const result = write();
          return () => resolve(result);
        },
        reject,
      });
    });
  }

  /** True when a write about `subject` waits: what the database says about it is not the whole truth. */
  concerns(subject: string): boolean {
    return this.#subjects.has(subject);
  }

  /** Commits what waits now, without waiting for the end of the turn. */
  flush(): void {
    clearImmediate(this.#turnEnd);
    this.#turnEnd = undefined;
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    this.#subjects = new Set();
    try {
      const committed = transaction(this.#database, () => group.map(({ write }) => write()));
      for (const tell of committed) tell();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
