import { setImmediate } from 'node:timers/promises';
import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionQuery, SessionRequest, SessionRequestStore } from '../console-store';
import { inPieces } from './statements';
import type { Atomically, SessionRequestRow, Tables } from './tables';

/** Few enough that other writers are not delayed noticeably. */
const ROWS_PER_CHANGE = 500;

export class SqlSessionRequests implements SessionRequestStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add(requests: readonly SessionRequest[]): Promise<void> {
    // The same order on every node prevents deadlocks.
    const rows = requests.map(toRow).sort((one, other) => (one.id < other.id ? -1 : 1));
    const insert = (some: SessionRequestRow[]) =>
      this.#db
        .insertInto('session_requests')
        .values(some)
        .onConflict((conflict) => conflict.column('id').doNothing());
    await this.#atomically(inPieces(rows).map(insert));
  }

  /** Within a millisecond the ids of searches, `node_…`, come before those of calls, `inv_…`. */
  async list({ sessionId, agentKeyIds, after, limit }: SessionQuery): Promise<SessionRequest[]> {
    if (agentKeyIds?.length === 0) return [];
    let query = this.#db.selectFrom('session_requests').selectAll().where('session_id', '=', sessionId);
    if (agentKeyIds) query = query.where('agent_key_id', 'in', agentKeyIds);
    if (after)
      query = query.where(({ or, and, eb }) => or([eb('at', '>', after.at), and([eb('at', '=', after.at), eb('id', '<', after.id)])]));
    return (await query.orderBy('at').orderBy('id', 'desc').limit(limit).execute()).map(toRequest);
  }

  async ofCalls(ids: readonly string[]): Promise<Map<string, SessionRequest>> {
    const found = new Map<string, SessionRequest>();
    for (const some of inPieces(ids)) {
      const rows = await this.#db.selectFrom('session_requests').selectAll().where('id', 'in', some).execute();
      for (const row of rows) found.set(row.id, toRequest(row));
    }
    return found;
  }

  async forgetQueries(): Promise<void> {
    await this.#inSteps(sql`query is not null`, (ids) =>
      this.#db.updateTable('session_requests').set({ query: null }).where('id', 'in', ids),
    );
  }

  async prune(before: number): Promise<void> {
    await this.#inSteps(sql`at < ${before}`, (ids) => this.#db.deleteFrom('session_requests').where('id', 'in', ids));
  }

  /** Changes the rows that match, until none does. */
  async #inSteps(matching: RawBuilder<SqlBool>, change: (ids: string[]) => Compilable): Promise<void> {
    for (;;) {
      const rows = await this.#db.selectFrom('session_requests').select('id').where(matching).limit(ROWS_PER_CHANGE).execute();
      if (rows.length === 0) return;
      await this.#atomically([change(rows.map(({ id }) => id))]);
      if (rows.length < ROWS_PER_CHANGE) return;
      await setImmediate();
    }
  }
}

function toRow({ id, agentKeyId, sessionId, userId, at, searchId, query, shown, origin }: SessionRequest): SessionRequestRow {
  const shownJson = shown && JSON.stringify(shown);
  const of = { id, agent_key_id: agentKeyId, session_id: sessionId, user_id: userId, at, search_id: searchId };
  return { ...of, query, shown: shownJson, origin: origin ?? null };
}

function toRequest(row: SessionRequestRow): SessionRequest {
  return {
    id: row.id,
    agentKeyId: row.agent_key_id,
    sessionId: row.session_id,
    userId: row.user_id,
    at: row.at,
    searchId: row.search_id,
    query: row.query,
    shown: row.shown === null ? null : (JSON.parse(row.shown) as string[]),
    ...(row.origin !== null && { origin: row.origin }),
  };
}
