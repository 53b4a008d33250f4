/** What may take its time about invocations. `find`, `start` and `end` are on the way of every call: each engine writes them by hand. */
import { setImmediate } from 'node:timers/promises';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { ACTION_ID_SEPARATOR } from '../../../protocol/ids';
import type { InvocationDetails, InvocationFilter } from '../console-store';
import { firstIdAt } from '../invocation-time';
import type { InvocationRecord, InvocationStore } from '../store';
import { inPieces } from './in-pieces';
import type { InvocationDetailsRow, InvocationRow, Tables } from './tables';

/** Short enough that other writers and the event loop do not notice. */
const ROWS_PER_FORGET = 500;

export class SqlInvocations implements Pick<InvocationStore, 'list' | 'forgetKeys' | 'lastCalls' | 'details' | 'remove' | 'forgetContent'> {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async unfinished(): Promise<InvocationRecord[]> {
    const rows = await this.#db.selectFrom('invocations').selectAll().where('code', 'is', null).orderBy('started_at').execute();
    return rows.map(toInvocation);
  }

  async list({ limit, before, ...filter }: InvocationFilter & { limit: number; before?: string | undefined }): Promise<InvocationRecord[]> {
    let query = this.#db.selectFrom('invocations').selectAll().orderBy('id', 'desc').limit(limit);
    if (before !== undefined) query = query.where('id', '<', before);
    const rows = await query.where((call) => matches(call, filter)).execute();
    return rows.map(toInvocation);
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

  async saveDetails(details: readonly InvocationDetails[]): Promise<void> {
    for (const rows of inPieces(details)) await this.#saveSome(rows);
  }

  async remove(before: number): Promise<number> {
    for (let removed = 0, after = ''; ; ) {
      const ids = await this.#removable(after, before);
      if (ids.length === 0) return removed;
      await this.#db.deleteFrom('invocation_details').where('id', 'in', ids).execute();
      await this.#db.deleteFrom('invocations').where('id', 'in', ids).execute();
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

  async #saveSome(rows: InvocationDetailsRow[]): Promise<void> {
    await this.#db
      .insertInto('invocation_details')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          timeline: ref('excluded.timeline'),
          payload: ref('excluded.payload'),
          result: ref('excluded.result'),
        })),
      )
      .execute();
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

function matches({ eb, and, or }: ExpressionBuilder<Tables, 'invocations'>, filter: InvocationFilter) {
  const ofKeys = (ids: readonly string[]) => eb('agent_key_id', 'in', ids);
  const ofToolkits = (ids: readonly string[]) =>
    or(ids.map((id) => and([eb('action', '>=', `${id}${ACTION_ID_SEPARATOR}`), eb('action', '<', `${id}_\``)])));
  const { agentKeyIds, actions, toolkits, outcome, from, to, visible } = filter;
  const all = [];
  if (agentKeyIds) all.push(ofKeys(agentKeyIds));
  if (actions) all.push(eb('action', 'in', actions));
  if (toolkits) all.push(ofToolkits(toolkits));
  if (outcome === 'running') all.push(eb('code', 'is', null));
  else if (outcome === 'error') all.push(eb('code', '<>', 'OK'));
  else if (outcome !== undefined) all.push(eb('code', '=', outcome === 'ok' ? 'OK' : outcome));
  if (from !== undefined) all.push(eb('id', '>=', firstIdAt(from)));
  if (to !== undefined) all.push(eb('id', '<', firstIdAt(to)));
  if (visible) all.push(or([ofKeys(visible.agentKeyIds), ofToolkits(visible.toolkits)]));
  return and(all);
}
