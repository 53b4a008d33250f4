/**
 * Writes of one event-loop turn in one transaction: a transaction costs far more than the rows in it.
 *
 * A write runs at once, so that reads on the same connection see it; COMMIT comes at the end of the turn, and its promise resolves after that.
 * Errors: when one write or the COMMIT fails, all writes of the turn are rolled back and reject with that error.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BEGIN, rollBack } from './transaction';

interface Failure {
  error: unknown;
}

interface Group {
  readonly committed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly turnEnd: NodeJS.Immediate;
  failure: Failure | undefined;
}

export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #group: Group | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare(BEGIN);
    this.#commit = database.prepare('COMMIT');
  }

  /** Runs `write` in this turn's transaction. */
  add<T>(write: () => T): Promise<T> {
    this.#group ??= this.#open();
    const group = this.#group;
    // After a failure the rest of the turn fails with it: each new BEGIN might block the process for the whole busy timeout.
    if (group.failure) return group.committed as Promise<never>;
    try {
      const result = write();
      return group.committed.then(() => result);
    } catch (error) {
      rollBack(this.#database);
      group.failure = { error };
      return group.committed as Promise<never>;
    }
  }

  /** Commits what waits, now: before anything else writes, and before the database closes. */
  flush(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = undefined;
    clearImmediate(group.turnEnd);
    const failure = group.failure ?? this.#commitNow();
    if (failure) group.reject(failure.error);
    else group.resolve();
  }

  #commitNow(): Failure | undefined {
    const failure = failureOf(() => this.#commit.run());
    if (failure) rollBack(this.#database);
    return failure;
  }

  #open(): Group {
    const failure = failureOf(() => this.#begin.run());
    let resolve!: Group['resolve'];
    let reject!: Group['reject'];
    const committed = new Promise<void>((settle, fail) => {
      resolve = settle;
      reject = fail;
    });
    return { committed, resolve, reject, turnEnd: setImmediate(() => this.flush()), failure };
  }
}

function failureOf(action: () => unknown): Failure | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return { error };
  }
}
