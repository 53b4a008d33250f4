/**
 * A connection in a thread of its own, started with its first work: it writes batches of records and counts, which takes as long as everything
 * else that the service does for these calls, and reads what people look at, which may take a tenth of a second. No call waits for either.
 * The thread's program is a text, so that it needs no file of its own beside the bundle.
 *
 * Errors: rejects with what SQLite says, and with the thread's error when that dies; the next work starts another one.
 */
import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../protocol/errors';
import type { BatchWriter, Statement } from './batch-writer';

const PROGRAM = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData.path);
  // Keys are random: each falls on another page of their index, and with SQLite's 2 MB most of them would be read anew.
  // Payloads and texts that are removed are gone from the file too.
  database.exec(workerData.pragmas + 'PRAGMA cache_size = -16000; PRAGMA secure_delete = ON');
  function write(statements) {
    let changes = 0;
    database.exec('BEGIN IMMEDIATE');
    for (const { sql, rows } of statements) {
      const statement = database.prepare(sql);
      for (const row of rows) changes += Number(statement.run(...row).changes);
    }
    database.exec('COMMIT');
    return changes;
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
      // It fails when no transaction is open, which is as well.
      try { database.exec('ROLLBACK'); } catch {}
      parentPort.postMessage({ error });
    }
  });
`;

type Work = { statements: readonly Statement[] } | { query: { sql: string; parameters: readonly SQLInputValue[] } } | { close: true };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export class DatabaseThread implements BatchWriter {
  readonly #path: string;
  readonly #pragmas: string;
  #thread: Worker | undefined;
  /** In the order of their work, which is that of the answers. */
  #waiting: Waiting[] = [];

  constructor(path: string, pragmas: string) {
    this.#path = path;
    this.#pragmas = pragmas;
  }

  write(statements: readonly Statement[]): Promise<number> {
    return this.#run({ statements }) as Promise<number>;
  }

  read(sql: string, parameters: readonly SQLInputValue[]): Promise<unknown[]> {
    return this.#run({ query: { sql, parameters } }) as Promise<unknown[]>;
  }

  /** After all that it was given before. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    await this.#run({ close: true });
    thread.ref();
    // On Deno a thread cannot end itself.
    await thread.terminate();
  }

  #run(work: Work): Promise<unknown> {
    const thread = this.#thread ?? this.#start();
    this.#thread = thread;
    // The process must not end under work that somebody waits for, such as `close`.
    thread.ref();
    thread.postMessage(work);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #start(): Worker {
    const workerData = { path: this.#path, pragmas: this.#pragmas };
    const thread = new Worker(PROGRAM, { eval: true, workerData, name: 'svc-records' });
    // Between its works it need not keep the process alive.
    thread.unref();
    thread.on('message', ({ result, error }: { result?: unknown; error?: unknown }) => {
      const waiting = this.#waiting.shift();
      if (this.#waiting.length === 0) thread.unref();
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(error);
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
