/** What may take its time about invocations. `find`, `start` and `end` are on the way of every call: each engine writes them by hand. */
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { InvocationRecord, InvocationStore } from '../store';
import type { InvocationRow, Tables } from './tables';

/** Short enough that other writers and the event loop do not notice. */
const ROWS_PER_FORGET = 500;

export class SqlInvocations implements Pick<InvocationStore, 'list' | 'forgetKeys'> {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async unfinished(): Promise<InvocationRecord[]> {
    const rows = await this.#db.selectFrom('invocations').selectAll().where('code', 'is', null).orderBy('started_at').execute();
    return rows.map(toInvocation);
  }

  async list({ limit }: { limit: number }): Promise<InvocationRecord[]> {
    const rows = await this.#db.selectFrom('invocations').selectAll().orderBy('id', 'desc').limit(limit).execute();
    return rows.map(toInvocation);
  }

  async forgetKeys(before: number): Promise<number> {
    for (let forgotten = 0; ; ) {
      const changed = await this.#forgetSome(before);
      forgotten += changed;
      if (changed < ROWS_PER_FORGET) return forgotten;
      await setImmediate();
    }
  }

  async #forgetSome(before: number): Promise<number> {
    const { numUpdatedRows } = await this.#db
      .updateTable('invocations')
      .set({ idempotency_key: null, body: null })
      .where('id', 'in', (from) =>
        from
          .selectFrom('invocations')
          .select('id')
          .where('started_at', '<', before)
          .where('idempotency_key', 'is not', null)
          .limit(ROWS_PER_FORGET),
      )
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }
}

export function toInvocation(row: InvocationRow): InvocationRecord {
  return {
    id: row.id,
    agentKeyId: row.agent_key_id,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    action: row.action,
    startedAt: row.started_at,
    node: row.node,
    outcome: row.code === null || row.ended_at === null ? null : { code: row.code, body: row.body, endedAt: row.ended_at },
  };
}
