/**
 * A connection in a worker thread, started by the first write or soon after the service. It writes batches of records and counts, which takes as long as the rest of the
 * service's work for these calls, and runs the console's queries, which may take a tenth of a second. Calls wait for neither.
 * The worker's program is a string, so that the bundle needs no extra file.
 *
 * Errors: rejects with SQLite's error, or with the worker's error when it dies. The next request starts a new worker.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { SvcError } from '#sdk/protocol/errors';
import type { Atomically, Tables } from '../sql/tables';
import type { Statement, StatementWriter } from './connection';
import { CHECKPOINT_BYTES, givesRows, toSqlite } from './connection';
import { passingFault } from './errors';

const PROGRAM = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData.path);
  // Random keys hit random pages of their index: with SQLite's cache of 2 MB most of them would be read again.
  // secure_delete erases removed payloads and texts from the file.
  database.exec(workerData.pragmas + 'PRAGMA cache_size = -16000; PRAGMA secure_delete = ON');
  const { page_size: pageBytes } = database.prepare('PRAGMA page_size').get();
  database.exec('PRAGMA wal_autocheckpoint = ' + Math.ceil(workerData.checkpointBytes / pageBytes));
  function write(statements) {
    let changes = 0;
    database.exec('BEGIN IMMEDIATE');
    for (const { sql, rows } of statements) {
      const statement = database.prepare(sql);
      if (rows.text === undefined) for (const row of rows) changes += Number(statement.run(...row).changes);
      else writeText(statement, rows);
    }
    database.exec('COMMIT');
    return changes;
  }
  function writeText(statement, { text, columns }) {
    const values = text.split('\\0');
    const row = new Array(columns);
    for (let at = 0; at + columns < values.length; at += columns) {
      for (let column = 0; column < columns; column++) {
        const value = values[at + column];
        row[column] = value === '' ? null : value.slice(1);
      }
      statement.run(...row);
    }
  }
  function run({ statements, query }) {
    if (statements) return write(statements);
    if (query) return database.prepare(query.sql).all(...query.parameters);
    return database.close();
  }
  parentPort.on('message', (work) => {
    try {
      parentPort.postMessage({ result: run(work) });
    } catch (error) {
      // Fails when no transaction is open, which is fine.
      try { database.exec('ROLLBACK'); } catch {}
      // A message keeps no other properties of an error.
      parentPort.postMessage({ error, errcode: error.errcode });
    }
  });
`;

type Work = { statements: readonly Statement[] } | { query: { sql: string; parameters: readonly SQLInputValue[] } } | { close: true };

/** After a start, before the console's first query. */
const START_AFTER_MS = 1_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export class DatabaseThread implements StatementWriter {
  readonly #path: string;
  readonly #pragmas: string;
  #thread: Worker | undefined;
  readonly #startsLater: NodeJS.Timeout;
  /** Pending requests in the order in which the worker answers. */
  #waiting: Waiting[] = [];

  constructor(path: string, pragmas: string) {
    this.#path = path;
    this.#pragmas = pragmas;
    this.#startsLater = setTimeout(() => {
      this.#thread ??= this.#start();
    }, START_AFTER_MS).unref();
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  write(statements: readonly Statement[]): Promise<number> {
    return this.#run({ statements }) as Promise<number>;
  }

  read(sql: string, parameters: readonly SQLInputValue[]): Promise<unknown[]> {
    return this.#run({ query: { sql, parameters } }) as Promise<unknown[]>;
  }

  /** Ends the worker after all earlier requests. */
  async close(): Promise<void> {
    clearTimeout(this.#startsLater);
    const thread = this.#thread;
    if (!thread) return;
    await this.#run({ close: true });
    thread.ref();
    // A worker cannot end itself on Deno.
    await thread.terminate();
  }

  #run(work: Work): Promise<unknown> {
    const thread = this.#thread ?? this.#start();
    this.#thread = thread;
    // Keeps the process alive during a request, such as `close`.
    thread.ref();
    thread.postMessage(work);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #start(): Worker {
    const workerData = { path: this.#path, pragmas: this.#pragmas, checkpointBytes: CHECKPOINT_BYTES };
    const thread = new Worker(PROGRAM, { eval: true, workerData, name: 'svc-records' });
    // An idle worker need not keep the process alive.
    thread.unref();
    thread.on('message', ({ result, error, errcode }: { result?: unknown; error?: Error; errcode?: number }) => {
      const waiting = this.#waiting.shift();
      if (this.#waiting.length === 0) thread.unref();
      if (error === undefined) waiting?.resolve(result);
      else {
        if (errcode !== undefined) Object.assign(error, { errcode });
        waiting?.reject(passingFault(error) ?? error);
      }
    });
    thread.on('error', (error) => this.#lose(error));
    thread.on('exit', () => this.#lose(new SvcError('INTERNAL', 'The thread of the database has ended')));
    return thread;
  }

  #lose(error: unknown): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/**
 * Kysely on the worker: each query is a separate transaction.
 *
 * @param atStart reads until the worker runs: a start reads little, and waits as long for a worker as for the rest of the service
 */
export function threadKysely(thread: DatabaseThread, atStart: DatabaseSync): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const values = parameters.map(toSqlite);
      if (givesRows(sql)) {
        const rows = thread.isRunning ? await thread.read(sql, values) : atStart.prepare(sql).all(...values);
        return { rows: rows as Row[] };
      }
      return { rows: [], numAffectedRows: BigInt(await thread.write([{ sql, rows: [values] }])) };
    },
    streamQuery: unsupported,
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // Other queries may run between two of a transaction, so `inThread` sends all of its queries at once.
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    destroy: async () => {},
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

export function inThread(thread: DatabaseThread): Atomically {
  return async (queries) => {
    const statements = queries.map((query) => query.compile()).map(({ sql, parameters }) => ({ sql, rows: [parameters.map(toSqlite)] }));
    if (statements.length > 0) await thread.write(statements);
  };
}

function unsupported(): never {
  throw new Error('The thread of the database runs whole transactions only');
}
