/** Invocations on SQLite: the way of every call with statements that are compiled once, the rest with the shared queries. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SvcError } from '../../../protocol/errors';
import { type SqlInvocations, toInvocation } from '../sql/invocations';
import type { InvocationRow } from '../sql/tables';
import type { InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from '../store';
import type { GroupCommit } from './group-commit';

const FIND = 'SELECT * FROM invocations WHERE agent_key_id = ? AND idempotency_key = ?';

const START = `
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (agent_key_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING`;

const END = `
  UPDATE invocations SET code = ?, body = CASE WHEN idempotency_key IS NULL THEN NULL ELSE ? END, ended_at = ? WHERE id = ?`;

const REFUSED = `
  INSERT INTO invocations (id, agent_key_id, request_hash, action, started_at, code, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET idempotency_key = NULL, body = NULL, code = excluded.code, ended_at = excluded.ended_at`;

export class SqliteInvocations implements InvocationStore {
  readonly #queries: SqlInvocations;
  readonly #group: GroupCommit;
  readonly #onError: (error: unknown) => void;
  readonly #find: StatementSync;
  readonly #start: StatementSync;
  readonly #end: StatementSync;
  readonly #refused: StatementSync;

  constructor(database: DatabaseSync, group: GroupCommit, queries: SqlInvocations, onError: (error: unknown) => void) {
    this.#queries = queries;
    this.#group = group;
    this.#onError = onError;
    this.#find = database.prepare(FIND);
    this.#start = database.prepare(START);
    this.#end = database.prepare(END);
    this.#refused = database.prepare(REFUSED);
  }

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const found = this.#read(agentKeyId, idempotencyKey);
    const isTrue = !this.#group.concerns(holder(agentKeyId, idempotencyKey)) && !(found && this.#group.concerns(found.id));
    if (isTrue) return found;
    this.#group.flush();
    return this.#read(agentKeyId, idempotencyKey);
  }

  start({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt }: InvocationStart): Promise<boolean> {
    const subject = idempotencyKey === null ? id : holder(agentKeyId, idempotencyKey);
    return this.#group.add(subject, () => this.#start.run(id, agentKeyId, idempotencyKey, requestHash, action, startedAt).changes === 1);
  }

  async end(id: string, { code, body, endedAt }: InvocationOutcome): Promise<void> {
    const found = await this.#group.add(id, () => this.#end.run(code, body, endedAt, id).changes === 1);
    if (!found) throw new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
  }

  refused({ id, agentKeyId, requestHash, action, startedAt }: InvocationStart, { code, endedAt }: InvocationOutcome): void {
    const write = () => this.#refused.run(id, agentKeyId, requestHash, action, startedAt, code, endedAt);
    this.#group.add(id, write).catch(this.#onError);
  }

  unfinished(): Promise<InvocationRecord[]> {
    this.#group.flush();
    return this.#queries.unfinished();
  }

  list(query: { limit: number; agentKeyId?: string; action?: string }): Promise<InvocationRecord[]> {
    this.#group.flush();
    return this.#queries.list(query);
  }

  forgetKeys(before: number): Promise<number> {
    return this.#queries.forgetKeys(before);
  }

  #read(agentKeyId: string, idempotencyKey: string): InvocationRecord | undefined {
    const row = this.#find.get(agentKeyId, idempotencyKey) as InvocationRow | undefined;
    return row && toInvocation(row);
  }
}

/** The place that only one call can hold: no id has a blank. */
function holder(agentKeyId: string, idempotencyKey: string): string {
  return `${agentKeyId} ${idempotencyKey}`;
}
