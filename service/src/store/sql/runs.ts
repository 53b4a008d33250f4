import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { KeptText } from '../../lib/kept-texts';
import type { AddedRun, EndedProgram, NewRun, RunLimits, RunList, RunProgress, RunRecord, RunStatus, RunStore } from '../run-store';
import { afterWrite } from '../store-unavailable';
import type { DatabaseClock } from './connections';
import { inPieces } from './statements';
import type { Atomically, RunRow, Tables } from './tables';

export interface SqlRunsOptions {
  node: string;
  now: DatabaseClock;
  /** The condition on `node` for runs that this node may take over. */
  isAbandoned: () => RawBuilder<SqlBool>;
}

export class SqlRuns implements RunStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;
  readonly #options: SqlRunsOptions;

  constructor(db: Kysely<Tables>, atomically: Atomically, options: SqlRunsOptions) {
    this.#db = db;
    this.#atomically = atomically;
    this.#options = options;
  }

  async add(run: NewRun, limits: RunLimits): Promise<AddedRun | undefined> {
    const { node, now } = this.#options;
    const inserted = await this.#db
      .insertInto('runs')
      .values({ ...newColumns(run), ...NEW_COLUMNS, node, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!inserted) return this.#earlier(run);
    // After the insert, so that two nodes never both miss the other's run.
    return (await afterWrite(() => this.#fits(run, limits))) ? { run: toRun(inserted), isNew: true } : undefined;
  }

  async forget(id: string): Promise<void> {
    await this.#db.deleteFrom('runs').where('id', '=', id).where('ended_at', 'is not', null).execute();
  }

  async get(id: string): Promise<RunRecord | undefined> {
    const row = await this.#db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  async named(agentKeyId: string, idempotencyKey: string): Promise<RunRecord | undefined> {
    const ofKey = this.#db.selectFrom('runs').selectAll().where('agent_key_id', '=', agentKeyId);
    const row = await ofKey.where('idempotency_key', '=', idempotencyKey).executeTakeFirst();
    return row && toRun(row);
  }

  async list({ agentKeyIds, sessionId, limit, before }: RunList): Promise<RunRecord[]> {
    if (agentKeyIds?.length === 0) return [];
    let query = this.#db.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(limit);
    if (agentKeyIds) query = query.where('agent_key_id', 'in', agentKeyIds);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map(toRun);
  }

  async states(ids: readonly string[]): Promise<RunProgress[]> {
    const states: RunProgress[] = [];
    for (const some of inPieces(ids)) {
      const rows = await this.#db.selectFrom('runs').select(['id', 'status', 'cancelled_at']).where('id', 'in', some).execute();
      for (const { id, status, cancelled_at } of rows) states.push({ id, status: status as RunStatus, isCancelled: cancelled_at !== null });
    }
    return states;
  }

  async takeAbandoned(limit: number): Promise<RunRecord[]> {
    const isAbandoned = this.#options.isAbandoned();
    const some = this.#db.selectFrom('runs').select('id').where('ended_at', 'is', null).where(isAbandoned).limit(limit);
    const rows = await this.#db
      .updateTable('runs')
      .set({ node: this.#options.node })
      .where('id', 'in', some)
      // Once more: another node may have taken the run meanwhile.
      .where(isAbandoned)
      .returningAll()
      .execute();
    return rows.map(toRun);
  }

  async driven(): Promise<string[]> {
    const open = this.#db.selectFrom('runs').select('id').where('ended_at', 'is', null);
    return (await open.where('node', '=', this.#options.node).execute()).map(({ id }) => id);
  }

  async letGo(): Promise<void> {
    const driven = this.#db.updateTable('runs').set({ node: null }).where('node', '=', this.#options.node);
    await driven.where('ended_at', 'is', null).execute();
  }

  async begin(id: string, deadlineAt: number): Promise<void> {
    const change = this.#open(id).set(({ eb }) => ({ status: 'running', attempt: eb('attempt', '+', 1), deadline_at: deadlineAt }));
    await change.execute();
  }

  async report(calls: ReadonlyMap<string, number>): Promise<void> {
    // The same order at each node prevents deadlocks between two of them.
    const sorted = [...calls].sort(([one], [other]) => (one < other ? -1 : 1));
    if (sorted.length > 0) await this.#atomically(sorted.map(([id, count]) => this.#open(id).set({ calls: count })));
  }

  async keep(id: string, state: KeptText): Promise<void> {
    await this.#open(id).set(stateColumns(state)).execute();
  }

  async suspend(id: string, state: KeptText, calls: number): Promise<void> {
    await this.#open(id)
      .set({ status: 'waiting', ...stateColumns(state), calls })
      .execute();
  }

  async wake(id: string): Promise<void> {
    await this.#open(id).where('status', '=', 'waiting').set({ status: 'running' }).execute();
  }

  async cancel(id: string): Promise<void> {
    await this.#open(id).where('cancelled_at', 'is', null).set({ cancelled_at: this.#options.now() }).execute();
  }

  async end(id: string, { status, answer, calls }: EndedProgram): Promise<void> {
    const ended = { status, calls, answer: answer.sealed, answer_by: answer.sealedBy, ended_at: this.#options.now() };
    await this.#open(id)
      .set({ ...ended, state: null, state_by: null })
      .execute();
  }

  async removeEnded(ms: number): Promise<void> {
    const before = sql<number>`${this.#options.now()} - ${sql.lit(Math.round(ms))}`;
    await this.#db.deleteFrom('runs').where('ended_at', '<', before).execute();
  }

  #open(id: string) {
    return this.#db.updateTable('runs').where('id', '=', id).where('ended_at', 'is', null);
  }

  /** Removes the run again if the key has more than its limits. */
  async #fits({ id, agentKeyId }: NewRun, limits: RunLimits): Promise<boolean> {
    const counted = await this.#db
      .selectFrom('runs')
      .select(({ fn }) => ['status', fn.countAll().as('runs')])
      .where('agent_key_id', '=', agentKeyId)
      .where('ended_at', 'is', null)
      .groupBy('status')
      .execute();
    const count = (wanted: RunStatus) => Number(counted.find(({ status }) => status === wanted)?.runs ?? 0);
    if (count('running') <= limits.running && count('waiting') < limits.waiting) return true;
    await this.#db.deleteFrom('runs').where('id', '=', id).execute();
    return false;
  }

  async #earlier({ agentKeyId, idempotencyKey }: NewRun): Promise<AddedRun | undefined> {
    const run = await this.named(agentKeyId, idempotencyKey);
    return run && { run, isNew: false };
  }
}

const NEW_COLUMNS = {
  status: 'running',
  attempt: 0,
  calls: 0,
  state: null,
  state_by: null,
  answer: null,
  answer_by: null,
  cancelled_at: null,
  ended_at: null,
} as const satisfies Partial<RunRow>;

function newColumns({ id, code, caller, ...run }: NewRun) {
  return {
    ...{ id, code: code.sealed, code_by: code.sealedBy, caller },
    ...{ agent_key_id: run.agentKeyId, user_id: run.userId, session_id: run.sessionId },
    ...{ idempotency_key: run.idempotencyKey, request_hash: run.requestHash },
    ...{ timeout_ms: run.timeoutMs, deadline_at: run.deadlineAt },
  };
}

function stateColumns({ sealed, sealedBy }: KeptText) {
  return { state: sealed, state_by: sealedBy };
}

function toRun(row: RunRow): RunRecord {
  const { id, caller, attempt, calls, node } = row;
  return {
    ...{ id, caller, attempt, calls, node, status: row.status as RunStatus },
    ...{ agentKeyId: row.agent_key_id, userId: row.user_id, sessionId: row.session_id },
    ...{ idempotencyKey: row.idempotency_key, requestHash: row.request_hash },
    code: { sealed: row.code, sealedBy: row.code_by },
    state: keptText(row.state, row.state_by),
    answer: keptText(row.answer, row.answer_by),
    ...{ timeoutMs: row.timeout_ms, deadlineAt: row.deadline_at, cancelledAt: row.cancelled_at },
    ...{ createdAt: row.created_at, endedAt: row.ended_at },
  };
}

function keptText(sealed: string | null, sealedBy: string | null): KeptText | null {
  return sealed === null || sealedBy === null ? null : { sealed, sealedBy };
}
