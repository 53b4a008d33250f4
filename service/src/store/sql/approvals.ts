import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ApprovalStatus } from '#sdk/protocol/approvals';
import type { ApprovalDecider } from '#sdk/protocol/rules';
import type {
  ActionHistory,
  ApprovalChange,
  ApprovalQuery,
  CallApprovalRecord,
  CallApprovalStore,
  NewCallApproval,
  ToldApproval,
} from '../approval-store';
import type { DatabaseClock } from './connections';
import { firstIdAt, inPieces } from './statements';
import type { CallApprovalRow, Tables } from './tables';

const MAX_EQUAL = 20;
/** Codes of calls that only asked, which are recorded too. */
const UNDECIDED = ['APPROVAL_REQUIRED', 'APPROVAL_DENIED'];
const MAX_HISTORY = 1_000;
const REMOVED_PER_STATEMENT = 500;
/** An approval with one of these has no run. */
const WITHOUT_RUN: readonly ApprovalStatus[] = ['denied', 'expired', 'withdrawn'];

export class SqlCallApprovals implements CallApprovalStore {
  readonly #db: Kysely<Tables>;
  readonly #now: DatabaseClock;

  constructor(db: Kysely<Tables>, now: DatabaseClock) {
    this.#db = db;
    this.#now = now;
  }

  async add(approval: NewCallApproval, { forMs, maxPending }: { forMs: number; maxPending: number }): Promise<'added' | 'exists' | 'full'> {
    const pending = this.#db.selectFrom('approvals').where('agent_key_id', '=', approval.agentKeyId).where('status', '=', 'pending');
    const { count } = await pending.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (Number(count) >= maxPending) return 'full';
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto('approvals')
      .values({
        ...toNewRow(approval),
        ...{ status: 'pending', invocation_id: null, taken: 0, created_at: this.#now(), expires_at: this.#in(forMs) },
        ...{ decided_at: null, decided_by: null, decided_by_name: null, reason: null, ended_at: null, session_until: null },
        ...{ told: null, tell_at: this.#now(), tell_tries: 0 },
      })
      .onConflict((conflict) => conflict.columns(['agent_key_id', 'request_hash']).where('status', '=', sql.lit('pending')).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n ? 'added' : 'exists';
  }

  async find(id: string): Promise<CallApprovalRecord | undefined> {
    const row = await this.#rows().where('id', '=', id).executeTakeFirst();
    return row && toRecord(row);
  }

  async agentKeyIds(): Promise<string[]> {
    const rows = await this.#db.selectFrom('approvals').select('agent_key_id').distinct().execute();
    return rows.map(({ agent_key_id }) => agent_key_id);
  }

  async ofEqualCalls(agentKeyId: string, requestHash: string): Promise<CallApprovalRecord[]> {
    const query = this.#rows().where('agent_key_id', '=', agentKeyId).where('request_hash', '=', requestHash);
    return (await query.orderBy('id', 'desc').limit(MAX_EQUAL).execute()).map(toRecord);
  }

  async ofSession(agentKeyId: string, sessionId: string, action: string): Promise<CallApprovalRecord[]> {
    const query = this.#rows().where('agent_key_id', '=', agentKeyId).where('session_id', '=', sessionId).where('action', '=', action);
    return (await query.where('session_until', '>', this.#now()).orderBy('id', 'desc').limit(MAX_EQUAL).execute()).map(toRecord);
  }

  async addCaller(id: string, idempotencyKey: string, max: number): Promise<void> {
    const callers = this.#db.selectFrom('approval_callers').where('approval_id', '=', id);
    const { count } = await callers.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (Number(count) >= max) return;
    await this.#db
      .insertInto('approval_callers')
      .values({ approval_id: id, idempotency_key: idempotencyKey })
      .onConflict((conflict) => conflict.columns(['approval_id', 'idempotency_key']).doNothing())
      .execute();
  }

  async hasCaller(id: string, idempotencyKey: string): Promise<boolean> {
    const callers = this.#db.selectFrom('approval_callers').where('approval_id', '=', id);
    return (await callers.where('idempotency_key', '=', idempotencyKey).select('approval_id').executeTakeFirst()) !== undefined;
  }

  async change(
    id: string,
    from: ApprovalStatus,
    { status, decidedBy, decidedByName, reason, invocationId, sessionMs }: ApprovalChange,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('approvals')
      .set({
        status,
        ...(from === 'pending' && { decided_at: this.#now(), tell_at: this.#now(), tell_tries: 0 }),
        ...(decidedBy !== undefined && { decided_by: decidedBy, decided_by_name: decidedByName ?? '' }),
        ...(reason !== undefined && { reason }),
        ...(invocationId !== undefined && { invocation_id: invocationId }),
        ...(sessionMs !== undefined && { session_until: this.#in(sessionMs) }),
        ...(WITHOUT_RUN.includes(status) && { ended_at: this.#now(), session_until: null }),
      })
      .where('id', '=', id)
      .where('status', '=', from)
      .$if(from === 'pending', (query) => query.where('expires_at', '>', this.#now()))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async ended(id: string): Promise<void> {
    await this.#db
      .updateTable('approvals')
      .set({ ended_at: this.#now(), sealed: null, sealed_by: null })
      .where('id', '=', id)
      .where('status', '=', 'used')
      .where('ended_at', 'is', null)
      .execute();
  }

  async take(id: string): Promise<boolean> {
    const query = this.#db.updateTable('approvals').set({ taken: 1 }).where('id', '=', id).where('taken', '=', 0);
    return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  }

  async endSession(id: string): Promise<boolean> {
    const query = this.#db.updateTable('approvals').set({ session_until: null }).where('id', '=', id);
    return (await query.where('session_until', '>', this.#now()).executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  }

  async list({ agentKeyIds, statuses, standing, limit, before }: ApprovalQuery): Promise<CallApprovalRecord[]> {
    const rows: CallApprovalRecord[] = [];
    for (const keys of agentKeyIds ? inPieces(agentKeyIds) : [undefined]) {
      const query = this.#rows()
        .$if(keys !== undefined, (some) => some.where('agent_key_id', 'in', keys ?? []))
        .$if(statuses !== undefined, (some) => some.where('status', 'in', statuses ?? []))
        .$if(standing === true, (some) => some.where('session_until', '>', this.#now()))
        .$if(before !== undefined, (some) => some.where('id', '<', before ?? ''));
      rows.push(...(await query.orderBy('id', 'desc').limit(limit).execute()).map(toRecord));
    }
    return rows.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
  }

  async pending(ageMs: number): Promise<Pick<CallApprovalRecord, 'id' | 'action' | 'actionVersion'>[]> {
    const query = this.#db.selectFrom('approvals').where('status', '=', 'pending').where('ended_at', 'is', null);
    const rows = await query.where('created_at', '<', this.#in(-ageMs)).select(['id', 'action', 'action_version']).execute();
    return rows.map(({ id, action, action_version }) => ({ id, action, actionVersion: action_version }));
  }

  async unfinished(status: 'approved' | 'used', limit: number): Promise<CallApprovalRecord[]> {
    const query = this.#rows().where('status', '=', status).where('ended_at', 'is', null);
    const running = sql<SqlBool>`exists (select 1 from detached_calls where id = approvals.invocation_id and ended_at is null)`;
    const some = query.$if(status === 'used', (used) => used.where(({ not }) => not(running)));
    return (await some.orderBy('id').limit(limit).execute()).map(toRecord);
  }

  async expire(): Promise<string[]> {
    const rows = await this.#endPending('expired').where('expires_at', '<=', this.#now()).returning('id').execute();
    return rows.map(({ id }) => id);
  }

  async withdrawEnded(): Promise<string[]> {
    const ended = sql<SqlBool>`(
      agent_key_id not in (select id from keys where revoked_at is null and (expires_at is null or expires_at > ${this.#now()}))
      or (grant_id is not null and grant_id not in (select id from oauth_grants where ended_at is null and expires_at > ${this.#now()} and idle_until > ${this.#now()})))`;
    const rows = await this.#endPending('withdrawn').where(ended).returning('id').execute();
    return rows.map(({ id }) => id);
  }

  async remove(ageMs: number): Promise<number> {
    let removed = 0;
    for (;;) {
      const old = this.#db
        .selectFrom('approvals')
        .select('id')
        .where('ended_at', '<', this.#in(-ageMs))
        .where(({ or, eb }) => or([eb('session_until', 'is', null), eb('session_until', '<', this.#now())]));
      const ids = (await old.limit(REMOVED_PER_STATEMENT).execute()).map(({ id }) => id);
      if (ids.length === 0) return removed;
      await this.#db.deleteFrom('approval_callers').where('approval_id', 'in', ids).execute();
      await this.#db.deleteFrom('approvals').where('id', 'in', ids).execute();
      removed += ids.length;
    }
  }

  async history(agentKeyId: string, action: string, ageMs: number): Promise<ActionHistory> {
    const newest = this.#db
      .selectFrom('invocations')
      .select(['code', 'started_at'])
      .where('agent_key_id', '=', agentKeyId)
      .where('action', '=', action)
      .where('id', '>=', firstIdAt(Date.now() - ageMs))
      .where(({ or, eb }) => or([eb('code', 'is', null), eb('code', 'not in', UNDECIDED)]))
      .orderBy('id', 'desc')
      .limit(MAX_HISTORY)
      .as('newest');
    const { calls, ok, failed, last_at } = await this.#db
      .selectFrom(newest)
      .select(({ fn }) => [
        fn.countAll<number>().as('calls'),
        sql<number | null>`sum(case when code = 'OK' then 1 else 0 end)`.as('ok'),
        sql<number | null>`sum(case when code <> 'OK' then 1 else 0 end)`.as('failed'),
        fn.max('started_at').as('last_at'),
      ])
      .executeTakeFirstOrThrow();
    return { calls: Number(calls), ok: Number(ok ?? 0), failed: Number(failed ?? 0), lastAt: last_at === null ? null : Number(last_at) };
  }

  async hasMessages(): Promise<boolean> {
    const due = this.#db.selectFrom('approvals').select('id').where('tell_at', '<=', this.#now());
    return (await due.limit(1).executeTakeFirst()) !== undefined;
  }

  async claimMessages(limit: number, leaseMs: number): Promise<CallApprovalRecord[]> {
    const due = this.#db.selectFrom('approvals').select('id').where('tell_at', '<=', this.#now()).orderBy('tell_at').limit(limit);
    const rows = await this.#db
      .updateTable('approvals')
      .set(({ eb }) => ({ tell_at: this.#in(leaseMs), tell_tries: eb('tell_tries', '+', 1) }))
      .where('id', 'in', due)
      .where('tell_at', '<=', this.#now())
      .returningAll()
      .returning(this.#now().as('read_at'))
      .execute();
    return rows.map(toRecord);
  }

  async messageSent(id: string, told: ToldApproval): Promise<void> {
    // The decision came while the question was being sent: it is due now.
    const next = told === 'decided' ? null : sql<number | null>`case when status = 'pending' then null else ${this.#now()} end`;
    await this.#db.updateTable('approvals').set({ told, tell_at: next, tell_tries: 0 }).where('id', '=', id).execute();
  }

  async messageFailed(id: string, againMs: number | undefined): Promise<void> {
    const next = againMs === undefined ? null : this.#in(againMs);
    await this.#db.updateTable('approvals').set({ tell_at: next }).where('id', '=', id).execute();
  }

  #rows() {
    return this.#db.selectFrom('approvals').selectAll().select(this.#now().as('read_at'));
  }

  #endPending(status: ApprovalStatus) {
    const ending = { status, decided_at: this.#now(), ended_at: this.#now(), tell_at: this.#now(), tell_tries: 0 };
    return this.#db.updateTable('approvals').set(ending).where('status', '=', 'pending');
  }

  #in(forMs: number) {
    return sql<number>`${this.#now()} + ${sql.lit(Math.round(forMs))}`;
  }
}

function toNewRow({ payload, price, ...approval }: NewCallApproval) {
  return {
    id: approval.id,
    agent_key_id: approval.agentKeyId,
    grant_id: approval.grantId,
    user_id: approval.userId,
    session_id: approval.sessionId,
    action: approval.action,
    action_version: approval.actionVersion,
    request_hash: approval.requestHash,
    sealed: payload?.sealed ?? null,
    sealed_by: payload?.sealedBy ?? null,
    price: price === null ? null : price.toString(),
    currency: approval.currency,
    connection: approval.connection,
    connection_name: approval.connectionName,
    rule: approval.rule,
    decider: approval.decider,
    timeout_ms: approval.timeoutMs,
    caller: approval.caller,
  };
}

function toRecord(row: CallApprovalRow & { read_at: number }): CallApprovalRecord {
  return {
    id: row.id,
    agentKeyId: row.agent_key_id,
    grantId: row.grant_id,
    userId: row.user_id,
    sessionId: row.session_id,
    action: row.action,
    actionVersion: row.action_version,
    requestHash: row.request_hash,
    payload: row.sealed === null || row.sealed_by === null ? null : { sealed: row.sealed, sealedBy: row.sealed_by },
    price: row.price === null ? null : BigInt(row.price),
    currency: row.currency,
    connection: row.connection,
    connectionName: row.connection_name,
    rule: row.rule,
    decider: row.decider as ApprovalDecider,
    status: row.status as ApprovalStatus,
    timeoutMs: row.timeout_ms,
    caller: row.caller,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    invocationId: row.invocation_id,
    taken: row.taken !== 0,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    reason: row.reason,
    endedAt: row.ended_at,
    sessionUntil: row.session_until,
    told: row.told as ToldApproval | null,
    tellAt: row.tell_at,
    tellTries: row.tell_tries,
    readAt: row.read_at,
  };
}
