/**
 * The SQLite file of an agent, opened on first use and closed when the agent ends.
 *
 * Errors: StoreError, which names the file and the remedy.
 */
import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import schema from './store.sql';
import { StoreError, toStoreError } from './store-error';

const SCHEMA_VERSION = 1;

/** WAL with NORMAL: a commit survives a crash of the process; a power loss may undo the last ones. */
const PRAGMAS = 'PRAGMA busy_timeout = 1000; PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;';

export class AgentDatabase {
  readonly #path: string;
  #opened: { database: DatabaseSync; statements: Map<string, StatementSync> } | undefined;
  #inTransaction = false;

  constructor(path: string) {
    this.#path = path;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guarded(() => this.#prepare(sql).all(...values) as Row[]);
  }

  /** Yields rows, for reads that stop early. */
  *each<Row>(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    yield* this.#guarded(() => this.#prepare(sql).iterate(...values)) as Iterable<Row>;
  }

  /** @returns the number of rows that changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guarded(() => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Runs `work` in a transaction, or as part of the current transaction. */
  transaction<T>(work: () => T): T {
    const { database } = this.#open();
    if (this.#inTransaction) return work();
    return this.#guarded(() =>
      inTransaction(database, () => {
        this.#inTransaction = true;
        try {
          return work();
        } finally {
          this.#inTransaction = false;
        }
      }),
    );
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  #prepare(sql: string): StatementSync {
    const { database, statements } = this.#open();
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  #open() {
    this.#opened ??= { database: this.#guarded(() => openDatabase(this.#path)), statements: new Map() };
    return this.#opened;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }
}

function openDatabase(path: string): DatabaseSync {
  // Loaded on first use: Node 22 prints a warning about it.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  if (path !== ':memory:') createPrivately(path);
  const database = new DatabaseSync(path);
  try {
    database.exec(PRAGMAS);
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Only the owner of the file may read conversations. SQLite gives the files -wal and -shm the same mode. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // Ignored: SQLite cannot open the file either, and its error has a remedy.
  }
}

function migrate(database: DatabaseSync, path: string): void {
  inTransaction(database, () => {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version > SCHEMA_VERSION)
      throw new StoreError(
        `${path} was written by a newer version of svc-sdk, or by another program: update svc-sdk, or name another file`,
      );
    if (version === 0) database.exec(schema);
  });
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite rolls back automatically after some errors, such as a full disk. ROLLBACK then fails.
    }
    throw error;
  }
}
