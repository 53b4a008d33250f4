/** Queries on invocations off the hot path. The engines have hand-written statements for `find`, `start` and `end`. */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type CallQueries, isRetryable, SAID_BY_HANDLER } from '../call-engine';
import type { CallerQuery, ToolkitCallerSums } from '../caller-store';
import type { InvocationDetails } from '../console-store';
import type { ForgottenResults, InvocationRecord, InvocationStore, ResultSum, ResultsToForget, ToolkitErrorCount } from '../store';
import { callerRows } from './callers';
import { type ListQuery, listRows } from './invocation-list';
import { firstIdAt, inPieces, timeOfId } from './statements';
import type { Atomically, PaidInvocationRow, Tables } from './tables';

/** Few enough that neither other writers nor the event loop are delayed noticeably. */
const ROWS_PER_FORGET = 500;
/** Codes are texts of handlers, so their number has no bound. */
const MOST_ERRORS = 200;

/**
 * Bytes of a result that a handler gave. Errors of the service do not count: they are small, they stay, and without their body some codes would
 * read as "did not run".
 */
const RESULT_BYTES = sql<number>`case when code in (${sql.join(SAID_BY_HANDLER)}) then coalesce(octet_length(body), 0) else 0 end`.as(
  'bytes',
);

type Queried = keyof CallQueries;

export class SqlInvocations implements Pick<InvocationStore, Queried> {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;
  readonly #node: string | undefined;

  /** @param options.node the owner of all calls. Default: the tables have the owner of each */
  constructor(db: Kysely<Tables>, atomically: Atomically, { node }: { node?: string } = {}) {
    this.#db = db;
    this.#atomically = atomically;
    this.#node = node;
  }

  /** Oldest first. */
  async unfinished(): Promise<InvocationRecord[]> {
    const rows = await this.#db.selectFrom('invocations').selectAll().where('code', 'is', null).orderBy('started_at').execute();
    return rows.map(toInvocation);
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    const records = (await listRows(this.#db, query)).map(toInvocation);
    if (this.#node !== undefined) for (const record of records) record.node = this.#node;
    return records;
  }

  callers(query: CallerQuery): Promise<ToolkitCallerSums> {
    return callerRows(this.#db, query);
  }

  async lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    const last = new Map<string, number>();
    for (const ids of inPieces(agentKeyIds)) {
      const rows = await this.#db
        .selectFrom('keys')
        .where('keys.id', 'in', ids)
        .select(({ selectFrom }) => [
          'keys.id',
          selectFrom('invocations')
            .select('started_at')
            .whereRef('agent_key_id', '=', 'keys.id')
            .orderBy('invocations.id', 'desc')
            .limit(1)
            .as('last'),
        ])
        .execute();
      for (const row of rows) if (row.last !== null) last.set(row.id, row.last);
    }
    return last;
  }

  async details(id: string): Promise<InvocationDetails | undefined> {
    return this.#db.selectFrom('invocation_details').selectAll().where('id', '=', id).executeTakeFirst();
  }

  payloads(ids: readonly string[]): Promise<Map<string, string>> {
    return this.#contents('payload', ids);
  }

  results(ids: readonly string[]): Promise<Map<string, string>> {
    return this.#contents('result', ids);
  }

  /** Reads nothing but an index, which is why the time of the last call comes from its id. */
  async toolkitErrors(toolkitId: string, from: number): Promise<ToolkitErrorCount[]> {
    const rows = await this.#db
      .selectFrom('invocations')
      .select(['toolkit_code as code', 'action'])
      .select(({ fn }) => [fn.countAll<number | string>().as('calls'), fn.max('id').as('lastId')])
      .where('toolkit', '=', toolkitId)
      .where('toolkit_code', 'is not', null)
      .where('id', '>=', firstIdAt(from))
      .groupBy(['toolkit_code', 'action'])
      .orderBy('calls', 'desc')
      .orderBy('code')
      .orderBy('action')
      .limit(MOST_ERRORS)
      .execute();
    return rows.map(({ code, action, calls, lastId }) => ({ code: code ?? '', action, calls: Number(calls), lastAt: timeOfId(lastId) }));
  }

  async #contents(column: 'payload' | 'result', ids: readonly string[]): Promise<Map<string, string>> {
    const contents = new Map<string, string>();
    for (const some of inPieces(ids)) {
      const query = this.#db
        .selectFrom('invocation_details')
        .select(['id', `${column} as content`])
        .where('id', 'in', some);
      for (const { id, content } of await query.execute()) if (content !== null) contents.set(id, content);
    }
    return contents;
  }

  async remove(before: number): Promise<number> {
    for (let removed = 0, after = ''; ; ) {
      const ids = await this.#removable(after, before);
      if (ids.length === 0) return removed;
      await this.#atomically([
        this.#db.deleteFrom('invocation_details').where('id', 'in', ids),
        this.#db.deleteFrom('invocations').where('id', 'in', ids),
      ]);
      removed += ids.length;
      after = ids.at(-1) ?? after;
      await setImmediate();
    }
  }

  async forgetContent(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#db
        .selectFrom('invocation_details')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_PER_FORGET)
        .execute();
      const last = rows.at(-1)?.id;
      if (last === undefined) return;
      await this.#db
        .updateTable('invocation_details')
        .set({ payload: null, result: null })
        .where('id', '>', after)
        .where('id', '<=', last)
        .execute();
      after = last;
      await setImmediate();
    }
  }

  async forgetKeys(before: number): Promise<number> {
    for (let forgotten = 0; ; ) {
      const changed = await this.#forgetSome(before);
      forgotten += changed;
      if (changed < ROWS_PER_FORGET) return forgotten;
      await setImmediate();
    }
  }

  async keptResults(agentKeyId: string): Promise<ResultSum> {
    const kept: ResultSum = { bytes: 0, oldestId: undefined };
    for (let after = ''; ; ) {
      const rows = await this.#db
        .selectFrom('invocations')
        .select(['id', 'idempotency_key', RESULT_BYTES])
        .where('agent_key_id', '=', agentKeyId)
        .where('idempotency_key', '>', after)
        .orderBy('idempotency_key')
        .limit(ROWS_PER_FORGET)
        .execute();
      for (const { id, bytes } of rows) {
        kept.bytes += bytes;
        if (bytes > 0 && (kept.oldestId === undefined || id < kept.oldestId)) kept.oldestId = id;
      }
      after = rows.at(-1)?.idempotency_key ?? after;
      if (rows.length < ROWS_PER_FORGET) return kept;
      await setImmediate();
    }
  }

  async forgetResults(agentKeyId: string, { fromId, bytes }: ResultsToForget): Promise<ForgottenResults> {
    const forgotten: ForgottenResults = { bytes: 0, nextId: fromId };
    for (;;) {
      const rows = await this.#db
        .selectFrom('invocations')
        .select(['id', 'code', RESULT_BYTES])
        .where('agent_key_id', '=', agentKeyId)
        .where('id', '>=', forgotten.nextId)
        .orderBy('id')
        .limit(ROWS_PER_FORGET)
        .execute();
      const ids: string[] = [];
      const failed: string[] = [];
      for (const row of rows) {
        if (forgotten.bytes >= bytes) break;
        forgotten.nextId = row.id;
        forgotten.bytes += row.bytes;
        if (row.bytes > 0) ids.push(row.id);
        if (row.bytes > 0 && row.code !== 'OK') failed.push(row.id);
      }
      await this.#releaseRetryable(failed);
      if (ids.length > 0) await this.#db.updateTable('invocations').set({ body: null }).where('id', 'in', ids).execute();
      if (forgotten.bytes >= bytes || rows.length < ROWS_PER_FORGET) return forgotten;
      await setImmediate();
    }
  }

  /** Frees the keys of retryable failures: only their bodies say so. */
  async #releaseRetryable(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#db.selectFrom('invocations').select(['id', 'code', 'body']).where('id', 'in', ids).execute();
    const retryable = rows.filter(({ code, body }) => isRetryable({ code: code ?? '', body })).map(({ id }) => id);
    if (retryable.length > 0)
      await this.#db.updateTable('invocations').set({ idempotency_key: null }).where('id', 'in', retryable).execute();
  }

  async #removable(after: string, before: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('invocations')
      .select('id')
      .where('id', '>', after)
      .where('id', '<', firstIdAt(before))
      .where('code', 'is not', null)
      .where('idempotency_key', 'is', null)
      .orderBy('id')
      .limit(ROWS_PER_FORGET)
      .execute();
    return rows.map(({ id }) => id);
  }

  async #forgetSome(before: number): Promise<number> {
    const { numUpdatedRows } = await this.#db
      .updateTable('invocations')
      .set({ idempotency_key: null, body: null })
      .where('id', 'in', (from) =>
        from
          .selectFrom('invocations')
          .select('id')
          // The index has the start. A call may run for a day, and its result is kept from its end.
          .where('started_at', '<', before)
          .where('ended_at', '<', before)
          .where('idempotency_key', 'is not', null)
          .limit(ROWS_PER_FORGET),
      )
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }
}

/** Begins a query of calls with their entries in the ledger. Amounts as texts: they may exceed the exact integers of JavaScript. */
export const SELECT_PAID_CALLS = `
SELECT invocations.*, CAST(ledger.authorised AS TEXT) AS authorised, ledger.currency, CAST(ledger.charged AS TEXT) AS charged
FROM invocations LEFT JOIN ledger ON ledger.invocation_id = invocations.id`;

export function toInvocation(row: PaidInvocationRow): InvocationRecord {
  const record: InvocationRecord = {
    id: row.id,
    agentKeyId: row.agent_key_id,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    action: row.action,
    startedAt: row.started_at,
    node: row.node,
    outcome: row.code === null || row.ended_at === null ? null : { code: row.code, body: row.body, endedAt: row.ended_at },
  };
  // A backup reads data of any version.
  const { authorised = null, currency = null, charged = null, made_by: madeBy = null, origin = null } = row;
  const { toolkit_code: toolkitCode = null, took = null } = row;
  if (authorised !== null && currency !== null) record.hold = { amount: BigInt(authorised), currency };
  if (madeBy !== null) record.madeBy = madeBy;
  if (origin !== null) record.origin = origin;
  if (!record.outcome) return record;
  if (charged !== null) record.outcome.charged = BigInt(charged);
  if (toolkitCode !== null) record.outcome.toolkitCode = toolkitCode;
  if (took !== null) record.outcome.took = took;
  return record;
}

/** Fills in the toolkits of imported calls. */
export async function deriveToolkits(db: Kysely<Tables>): Promise<void> {
  await sql.raw(DERIVE_TOOLKITS).execute(db);
}

// Migration 9 explains the expression.
export const DERIVE_TOOLKITS = `
  UPDATE invocations SET toolkit = rtrim(substr(replace(action, '__', '${' '.repeat(65)}'), 1, 64))
  WHERE replace(action, '__', '') <> action`;
