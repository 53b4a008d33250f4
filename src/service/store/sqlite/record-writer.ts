/**
 * Writes records in batches, each in one transaction.
 *
 * On a file that is a thread's work: it takes as long as everything else that the service does for these calls, and nobody waits for it. The
 * thread's program is a text, so that it needs no file of its own beside the bundle.
 */

import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { InvocationRecord } from '../store';
import { transaction } from './transaction';

/** In the order of the columns. */
type RecordRow = readonly [
  id: string,
  agentKeyId: string,
  idempotencyKey: string | null,
  requestHash: string,
  action: string,
  startedAt: number,
  code: string | null,
  body: string | null,
  endedAt: number | null,
];

export interface RecordWriter {
  /** Resolves when the records are committed. */
  write(records: InvocationRecord[]): Promise<void>;
  close(): Promise<void>;
}

const SAVE = `
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at, code, body, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = excluded.idempotency_key, code = excluded.code, body = excluded.body, ended_at = excluded.ended_at`;

/** In this thread: for data in memory, and for what a former process left. */
export class DirectWriter implements RecordWriter {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async write(records: InvocationRecord[]): Promise<void> {
    const save = this.#database.prepare(SAVE);
    transaction(this.#database, () => {
      for (const record of records) save.run(...toRow(record));
    });
  }

  async close(): Promise<void> {}
}

const THREAD_PROGRAM = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData.path);
  // Keys are random: each falls on another page of their index, and with SQLite's 2 MB most of them would be read anew.
  database.exec(workerData.pragmas + 'PRAGMA cache_size = -16000');
  const save = database.prepare(workerData.save);
  parentPort.on('message', (rows) => {
    if (rows === null) {
      database.close();
      parentPort.close();
      return;
    }
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const row of rows) save.run(...row);
      database.exec('COMMIT');
      parentPort.postMessage(null);
    } catch (error) {
      // It fails when no transaction is open, which is as well.
      try { database.exec('ROLLBACK'); } catch {}
      parentPort.postMessage(error);
    }
  });
`;

/** In a thread of its own, started with the first batch. One batch at a time. */
export class ThreadWriter implements RecordWriter {
  readonly #path: string;
  readonly #pragmas: string;
  #thread: Worker | undefined;
  #settle: ((error: unknown) => void) | undefined;

  constructor(path: string, pragmas: string) {
    this.#path = path;
    this.#pragmas = pragmas;
  }

  write(records: InvocationRecord[]): Promise<void> {
    const thread = this.#thread ?? this.#start();
    this.#thread = thread;
    // The process must not end under a batch that somebody waits for, such as `close`.
    thread.ref();
    thread.postMessage(records.map(toRow));
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        thread.unref();
        if (error === null) resolve();
        else reject(error);
      };
    });
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    thread.ref();
    await new Promise((resolve) => {
      thread.once('exit', resolve);
      thread.postMessage(null);
    });
  }

  #start(): Worker {
    const workerData = { path: this.#path, pragmas: this.#pragmas, save: SAVE };
    const thread = new Worker(THREAD_PROGRAM, { eval: true, workerData, name: 'svc-records' });
    // Between batches it need not keep the process alive.
    thread.unref();
    thread.on('message', (error) => this.#settle?.(error));
    thread.on('error', (error) => this.#settle?.(error));
    thread.on('exit', () => {
      this.#thread = undefined;
    });
    return thread;
  }
}

function toRow({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt, outcome }: InvocationRecord): RecordRow {
  const { code = null, body = null, endedAt = null } = outcome ?? {};
  return [id, agentKeyId, idempotencyKey, requestHash, action, startedAt, code, body, endedAt];
}
