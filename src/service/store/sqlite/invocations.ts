/**
 * Invocations on SQLite. What is new stands in memory and in the journal, which makes it durable, and goes into the database in batches, most
 * calls as one finished row: a transaction per event-loop turn would cost more than all the rest of a call.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SvcError } from '../../../protocol/errors';
import { type SqlInvocations, toInvocation } from '../sql/invocations';
import type { InvocationRow } from '../sql/tables';
import type { InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from '../store';
import type { Journal, JournalEntry } from './journal';
import { BUSY_TIMEOUT_MS } from './open-file';
import { transaction } from './transaction';

const FIND = 'SELECT * FROM invocations WHERE agent_key_id = ? AND idempotency_key = ?';

const BY_ID = 'SELECT * FROM invocations WHERE id = ?';

const SAVE = `
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at, code, body, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = excluded.idempotency_key, code = excluded.code, body = excluded.body, ended_at = excluded.ended_at`;

/** Milliseconds that a record waits for its batch at most. */
const SAVE_MS = 100;
/** Until the next try, when the database could not be written. */
const RETRY_MS = 500;
/** How long a batch waits for another process's transaction, and everything else with it. */
const PATIENCE_MS = 20;
/** Records of one transaction: about two milliseconds in which nothing else happens. */
const BATCH = 256;

/** A record that the database does not have, or not as it is now. */
interface Unsaved {
  record: InvocationRecord;
  /** It was running at the last save: the next one takes it as it is. */
  waited: boolean;
}

export class SqliteInvocations implements InvocationStore {
  readonly #database: DatabaseSync;
  readonly #queries: SqlInvocations;
  readonly #journal: Journal | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #find: StatementSync;
  readonly #byId: StatementSync;
  readonly #save: StatementSync;
  readonly #unsaved = new Map<string, Unsaved>();
  /** `<agent key id> <idempotency key>` -> id, of unsaved records. */
  readonly #holders = new Map<string, string>();
  #endedCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The last batch could not be written: the next try has its time. */
  #failing = false;

  /** @param parts.left what a former process left in the journal; `journal` is undefined for data in memory */
  constructor(parts: {
    database: DatabaseSync;
    queries: SqlInvocations;
    left: JournalEntry[];
    journal: Journal | undefined;
    onError: (error: unknown) => void;
  }) {
    this.#database = parts.database;
    this.#queries = parts.queries;
    this.#journal = parts.journal;
    this.#onError = parts.onError;
    this.#find = parts.database.prepare(FIND);
    this.#byId = parts.database.prepare(BY_ID);
    this.#save = parts.database.prepare(SAVE);
    for (const entry of parts.left) this.#apply(entry);
  }

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const record = this.#holding(agentKeyId, idempotencyKey);
    return record && { ...record };
  }

  async start(call: InvocationStart): Promise<boolean> {
    const { agentKeyId, idempotencyKey } = call;
    if (idempotencyKey !== null && this.#holding(agentKeyId, idempotencyKey)) return false;
    await this.#append({ op: 'start', call });
    return true;
  }

  async end(id: string, { code, body, endedAt }: InvocationOutcome): Promise<void> {
    const record = this.#recordOf(id);
    if (!record) throw new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
    await this.#append({ op: 'end', id, outcome: { code, body: record.idempotencyKey === null ? null : body, endedAt } });
  }

  refused(call: InvocationStart, outcome: InvocationOutcome): void {
    this.#append({ op: 'refused', call, outcome }).catch(this.#onError);
  }

  async unfinished(): Promise<InvocationRecord[]> {
    this.save();
    return this.#queries.unfinished();
  }

  async list(query: { limit: number }): Promise<InvocationRecord[]> {
    this.save();
    return this.#queries.list(query);
  }

  async forgetKeys(before: number): Promise<number> {
    this.save();
    return this.#queries.forgetKeys(before);
  }

  /** Brings all that is unsaved into the database, now. */
  save(): void {
    this.#saveRecords([...this.#unsaved.values()]);
  }

  close(): void {
    clearTimeout(this.#timer);
    try {
      this.save();
    } finally {
      // What could not be saved is in the journal, for the next process.
      this.#journal?.close();
    }
  }

  async #append(entry: JournalEntry): Promise<void> {
    const undo = this.#apply(entry);
    try {
      await this.#journal?.append(entry);
    } catch (error) {
      undo();
      throw error;
    }
    if (this.#endedCount >= BATCH && !this.#failing) this.#saveMost();
    this.#timer ??= setTimeout(() => this.#saveMost(), SAVE_MS).unref();
  }

  /** Changes what stands in memory. Returns what takes the change back. */
  #apply(entry: JournalEntry): () => void {
    const id = entry.op === 'end' ? entry.id : entry.call.id;
    const before = this.#unsaved.get(id);
    const record = entry.op === 'end' ? this.#ended(entry) : recordOf(entry);
    // Only a damaged journal ends what it never started.
    if (!record) return () => {};
    this.#put({ record, waited: before?.waited ?? false });
    return () => {
      this.#drop(id);
      if (before) this.#put(before);
    };
  }

  #ended({ id, outcome }: Extract<JournalEntry, { op: 'end' }>): InvocationRecord | undefined {
    const known = this.#recordOf(id);
    return known && { ...known, outcome };
  }

  #put(unsaved: Unsaved): void {
    const { id, agentKeyId, idempotencyKey, outcome } = unsaved.record;
    this.#drop(id);
    this.#unsaved.set(id, unsaved);
    if (outcome) this.#endedCount++;
    if (idempotencyKey !== null) this.#holders.set(holder(agentKeyId, idempotencyKey), id);
  }

  #drop(id: string): void {
    const unsaved = this.#unsaved.get(id);
    if (!unsaved) return;
    const { agentKeyId, idempotencyKey, outcome } = unsaved.record;
    this.#unsaved.delete(id);
    if (outcome) this.#endedCount--;
    const key = idempotencyKey === null ? '' : holder(agentKeyId, idempotencyKey);
    if (this.#holders.get(key) === id) this.#holders.delete(key);
  }

  /** What runs only for a moment is left for the next time, when it is one finished row. */
  #saveMost(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due: Unsaved[] = [];
    for (const unsaved of this.#unsaved.values()) {
      if (unsaved.record.outcome || unsaved.waited) due.push(unsaved);
      unsaved.waited = true;
    }
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
      this.#saveRecords(due);
      this.#failing = false;
    } catch (error) {
      // Nothing is lost: it stays in memory and in the journal for the next time.
      this.#failing = true;
      this.#timer = setTimeout(() => this.#saveMost(), RETRY_MS).unref();
      this.#onError(error);
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  #saveRecords(due: Unsaved[]): void {
    if (due.length === 0) return;
    transaction(this.#database, () => {
      for (const { record } of due) this.#save.run(...toRow(record));
    });
    for (const { record } of due) this.#drop(record.id);
    this.#journal?.restart(Array.from(this.#unsaved.values(), ({ record }) => ({ op: 'start' as const, call: record })));
  }

  #holding(agentKeyId: string, idempotencyKey: string): InvocationRecord | undefined {
    const id = this.#holders.get(holder(agentKeyId, idempotencyKey));
    if (id !== undefined) return this.#unsaved.get(id)?.record;
    const row = this.#find.get(agentKeyId, idempotencyKey) as InvocationRow | undefined;
    // A row whose newer version is unsaved does not hold the key any more, or it would be a holder.
    return row && !this.#unsaved.has(row.id) ? toInvocation(row) : undefined;
  }

  #recordOf(id: string): InvocationRecord | undefined {
    const unsaved = this.#unsaved.get(id);
    if (unsaved) return unsaved.record;
    const row = this.#byId.get(id) as InvocationRow | undefined;
    return row && toInvocation(row);
  }
}

function recordOf(entry: Exclude<JournalEntry, { op: 'end' }>): InvocationRecord {
  if (entry.op === 'start') return { ...entry.call, outcome: null };
  return { ...entry.call, idempotencyKey: null, outcome: { ...entry.outcome, body: null } };
}

function toRow({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt, outcome }: InvocationRecord) {
  const { code = null, body = null, endedAt = null } = outcome ?? {};
  return [id, agentKeyId, idempotencyKey, requestHash, action, startedAt, code, body, endedAt] as const;
}

function holder(agentKeyId: string, idempotencyKey: string): string {
  return `${agentKeyId} ${idempotencyKey}`;
}
