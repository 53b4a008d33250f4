import { type Kysely, sql } from 'kysely';
import type { CallerNumberStore, CallerQuery, ToolkitCallerSums } from '../caller-store';
import { firstIdAt, inPieces, timeOfId } from './statements';
import type { Tables } from './tables';

interface CallerRow {
  agent_key_id: string;
  calls: number | string;
  errors: number | string;
  recent_calls: number | string;
  recent_errors: number | string;
  last_at: number | string;
}

/** Most calls first. Calls of people in the console are left out. */
export async function callerRows(
  db: Kysely<Tables>,
  { toolkitId, from, recentFrom, limit, mostCalls }: CallerQuery,
): Promise<ToolkitCallerSums> {
  // Read within the index. The columns that are summed up are not in it.
  const { rows: left } = await sql<{ id: string }>`
    select id from invocations where toolkit = ${toolkitId} and id >= ${firstIdAt(from)}
    order by id desc limit 1 offset ${sql.lit(mostCalls - 1)}`.execute(db);
  const [oldest] = left;
  const isRecent = sql`id >= ${firstIdAt(recentFrom)}`;
  const { rows } = await sql<CallerRow>`
    select agent_key_id, count(*) as calls, sum(case when code <> 'OK' then 1 else 0 end) as errors,
      sum(case when ${isRecent} then 1 else 0 end) as recent_calls,
      sum(case when ${isRecent} and code <> 'OK' then 1 else 0 end) as recent_errors, max(started_at) as last_at
    from invocations where toolkit = ${toolkitId} and id >= ${oldest?.id ?? firstIdAt(from)} and code is not null and origin is null
    group by agent_key_id order by calls desc, agent_key_id limit ${limit}`.execute(db);
  const callers = rows.map((row) => ({
    agentKeyId: row.agent_key_id,
    all: { calls: Number(row.calls), errors: Number(row.errors) },
    recent: { calls: Number(row.recent_calls), errors: Number(row.recent_errors) },
    lastAt: Number(row.last_at),
  }));
  return { callers, countedFrom: oldest && timeOfId(oldest.id) };
}

/** Two nodes may want the same number: the second one tries the next. */
const MOST_TRIES = 20;

export class SqlCallerNumbers implements CallerNumberStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async of(toolkitId: string, agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    for (let tries = 0; ; tries++) {
      const numbers = await this.#known(toolkitId, agentKeyIds);
      const missing = agentKeyIds.filter((id) => !numbers.has(id));
      if (missing.length === 0 || tries >= MOST_TRIES) return numbers;
      for (const id of missing) await this.#add(toolkitId, id);
    }
  }

  async #known(toolkitId: string, agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    const numbers = new Map<string, number>();
    for (const ids of inPieces(agentKeyIds)) {
      const query = this.#db.selectFrom('toolkit_callers').select(['agent_key_id', 'number']).where('toolkit_id', '=', toolkitId);
      for (const row of await query.where('agent_key_id', 'in', ids).execute()) numbers.set(row.agent_key_id, Number(row.number));
    }
    return numbers;
  }

  async #add(toolkitId: string, agentKeyId: string): Promise<void> {
    await sql`
      insert into toolkit_callers (toolkit_id, agent_key_id, number)
      select ${toolkitId}, ${agentKeyId}, coalesce(max(number), 0) + 1 from toolkit_callers where toolkit_id = ${toolkitId}
      on conflict do nothing`.execute(this.#db);
  }
}
