import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AddedCall, DetachedRecord, DetachedStore, NewDetachedCall } from '../detached-store';
import { afterWrite } from '../store-unavailable';
import type { DatabaseClock } from './connections';
import { inPieces } from './statements';
import type { Atomically, DetachedCallRow, Tables } from './tables';

export interface SqlDetachedOptions {
  node: string;
  now: DatabaseClock;
  /** The condition on `node` for calls that this node may take over. */
  isAbandoned: () => RawBuilder<SqlBool>;
}

export class SqlDetached implements DetachedStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;
  readonly #options: SqlDetachedOptions;

  constructor(db: Kysely<Tables>, atomically: Atomically, options: SqlDetachedOptions) {
    this.#db = db;
    this.#atomically = atomically;
    this.#options = options;
  }

  async add(call: NewDetachedCall, max: number): Promise<AddedCall | undefined> {
    const { node, now } = this.#options;
    const inserted = await this.#db
      .insertInto('detached_calls')
      .values({ ...columnsOf(call), node, progress: null, cancelled_at: null, error: null, created_at: now(), ended_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!inserted) return this.#earlier(call);
    // After the insert, so that two nodes never both miss the other's call.
    return (await afterWrite(() => this.#fits(call, max))) ? { call: toRecord(inserted), isNew: true } : undefined;
  }

  async forget(id: string): Promise<void> {
    await this.#db.deleteFrom('detached_calls').where('id', '=', id).where('ended_at', 'is not', null).execute();
  }

  async get(id: string): Promise<DetachedRecord | undefined> {
    const row = await this.#db.selectFrom('detached_calls').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toRecord(row);
  }

  async changed(ids: readonly string[]): Promise<{ id: string; isEnded: boolean }[]> {
    const changed: { id: string; isEnded: boolean }[] = [];
    for (const some of inPieces(ids)) {
      const rows = await this.#db
        .selectFrom('detached_calls')
        .select(['id', 'ended_at'])
        .where('id', 'in', some)
        .where(({ or, eb }) => or([eb('cancelled_at', 'is not', null), eb('ended_at', 'is not', null)]))
        .execute();
      changed.push(...rows.map(({ id, ended_at }) => ({ id, isEnded: ended_at !== null })));
    }
    return changed;
  }

  async takeAbandoned(limit: number): Promise<DetachedRecord[]> {
    const isAbandoned = this.#options.isAbandoned();
    const some = this.#db.selectFrom('detached_calls').select('id').where('ended_at', 'is', null).where(isAbandoned).limit(limit);
    const rows = await this.#db
      .updateTable('detached_calls')
      .set({ node: this.#options.node })
      .where('id', 'in', some)
      // Once more: another node may have taken the call meanwhile.
      .where(isAbandoned)
      .returningAll()
      .execute();
    return rows.map(toRecord);
  }

  async driven(): Promise<string[]> {
    const running = this.#db.selectFrom('detached_calls').select('id').where('ended_at', 'is', null);
    const rows = await running.where('node', '=', this.#options.node).execute();
    return rows.map(({ id }) => id);
  }

  async letGo(): Promise<void> {
    const driven = this.#db.updateTable('detached_calls').set({ node: null }).where('node', '=', this.#options.node);
    await driven.where('ended_at', 'is', null).execute();
  }

  async report(reports: ReadonlyMap<string, string>): Promise<void> {
    const update = (id: string, progress: string) =>
      this.#db.updateTable('detached_calls').set({ progress }).where('id', '=', id).where('ended_at', 'is', null);
    // The same order at each node prevents deadlocks between two of them.
    const sorted = [...reports].sort(([one], [other]) => (one < other ? -1 : 1));
    if (sorted.length > 0) await this.#atomically(sorted.map(([id, progress]) => update(id, progress)));
  }

  async cancel(id: string): Promise<void> {
    const running = this.#db.updateTable('detached_calls').where('id', '=', id).where('ended_at', 'is', null);
    await running.where('cancelled_at', 'is', null).set({ cancelled_at: this.#options.now() }).execute();
  }

  async end(id: string, error: string | null): Promise<void> {
    const running = this.#db.updateTable('detached_calls').where('id', '=', id).where('ended_at', 'is', null);
    await running.set({ ended_at: this.#options.now(), error, sealed: '' }).execute();
  }

  async removeEnded(ms: number): Promise<void> {
    const before = sql<number>`${this.#options.now()} - ${sql.lit(Math.round(ms))}`;
    await this.#db.deleteFrom('detached_calls').where('ended_at', '<', before).execute();
  }

  /** Removes the call again if the key has more than `max`. */
  async #fits({ id, agentKeyId }: NewDetachedCall, max: number): Promise<boolean> {
    const { running } = await this.#db
      .selectFrom('detached_calls')
      .select(({ fn }) => fn.countAll().as('running'))
      .where('agent_key_id', '=', agentKeyId)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(running) <= max) return true;
    await this.#db.deleteFrom('detached_calls').where('id', '=', id).execute();
    return false;
  }

  async #earlier({ agentKeyId, idempotencyKey }: NewDetachedCall): Promise<AddedCall | undefined> {
    const row = await this.#db
      .selectFrom('detached_calls')
      .selectAll()
      .where('agent_key_id', '=', agentKeyId)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst();
    return row && { call: toRecord(row), isNew: false };
  }
}

function columnsOf(call: NewDetachedCall) {
  const { id, action, sealed, caller } = call;
  return {
    ...{ id, action, sealed, caller, sealed_by: call.sealedBy, agent_key_id: call.agentKeyId, user_id: call.userId },
    ...{ idempotency_key: call.idempotencyKey, request_hash: call.requestHash },
    ...{ deadline_at: call.deadlineAt, approval_id: call.approvalId },
  };
}

function toRecord(row: DetachedCallRow): DetachedRecord {
  const { id, action, sealed, caller, node, progress, error } = row;
  return {
    ...{ id, action, sealed, caller, node, progress, error, sealedBy: row.sealed_by, agentKeyId: row.agent_key_id, userId: row.user_id },
    ...{ idempotencyKey: row.idempotency_key, requestHash: row.request_hash, approvalId: row.approval_id },
    ...{ deadlineAt: row.deadline_at, cancelledAt: row.cancelled_at, createdAt: row.created_at, endedAt: row.ended_at },
  };
}
