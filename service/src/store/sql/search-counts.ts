import { type Compilable, type Kysely, sql } from 'kysely';
import type { SearchCount, SearchCountQuery, SearchCountStore, SearchSummary } from '../console-store';
import { actionRange, inPieces } from './statements';
import type { Atomically, SearchCountRow, SearchKeyRow, Tables } from './tables';

/** Value of `action` in the rows of the searches themselves. */
const NO_ACTION = '';
const ACTIONS_PER_SEARCH = 20;

export class SqlSearchCounts implements SearchCountStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add(counts: readonly SearchCount[]): Promise<void> {
    const queries: Compilable[] = inPieces(summed(counts)).map((rows) => this.#upsert(rows));
    await this.#atomically([...queries, ...inPieces(askers(counts)).map((rows) => this.#insertKeys(rows))]);
  }

  async list({ limit, offset, unmet, actions, sharedWith }: SearchCountQuery): Promise<SearchSummary[]> {
    if (actions?.length === 0) return [];
    const asking = this.#db
      .selectFrom('search_keys')
      .select(({ fn }) => ['query', fn.count<number>('agent_key_id').distinct().as('keys')])
      .groupBy('query');
    let query = this.#db
      .selectFrom('search_counts')
      .leftJoin(asking.as('asking'), 'asking.query', 'search_counts.query')
      .where('action', '=', NO_ACTION)
      .select(({ fn }) => [
        'search_counts.query',
        fn.sum<number>('searches').as('searches'),
        fn.sum<number>('empty').as('empty'),
        fn.sum<number>('used').as('used'),
        fn.max('last_at').as('last_at'),
        fn.coalesce(fn.max('asking.keys'), sql.lit(0)).as('keys'),
      ])
      .groupBy('search_counts.query')
      .orderBy('keys', 'desc')
      .orderBy('searches', 'desc')
      .orderBy('search_counts.query')
      .limit(limit)
      .offset(offset);
    if (unmet) query = query.having(({ fn }) => fn.sum('used'), '=', 0);
    if (actions) {
      const shown = this.#db.selectFrom('search_counts').select('query').where('action', 'in', actions);
      query = query.where('search_counts.query', 'in', shown);
    }
    if (sharedWith)
      query = query.where(({ or, eb }) => or([eb('asking.keys', '>', 1), eb('search_counts.query', 'in', this.#askedBy(sharedWith))]));
    const rows = await query.execute();
    const found = await this.#actions(rows.map((row) => row.query));
    return rows.map(({ query: text, searches, empty, used, last_at, keys }) => ({
      query: text,
      searches: Number(searches),
      keys: Number(keys),
      empty: Number(empty),
      used: Number(used),
      lastAt: Number(last_at),
      actions: (found.get(text) ?? []).slice(0, ACTIONS_PER_SEARCH),
    }));
  }

  #askedBy(keyIds: readonly string[]) {
    return this.#db
      .selectFrom('search_keys')
      .select('query')
      .where('agent_key_id', 'in', [...keyIds, '']);
  }

  async prune(before: number): Promise<void> {
    await this.#atomically([
      this.#db.deleteFrom('search_counts').where('day', '<', before),
      this.#db.deleteFrom('search_keys').where('day', '<', before),
    ]);
  }

  async removeToolkit(toolkitId: string): Promise<void> {
    const { from, to } = actionRange(toolkitId);
    await this.#db.deleteFrom('search_counts').where('action', '>=', from).where('action', '<', to).execute();
  }

  async clear(): Promise<void> {
    await this.#atomically([this.#db.deleteFrom('search_counts'), this.#db.deleteFrom('search_keys')]);
  }

  /** Actions by query, most often listed first. */
  async #actions(queries: readonly string[]): Promise<Map<string, SearchSummary['actions']>> {
    const found = new Map<string, SearchSummary['actions']>();
    if (queries.length === 0) return found;
    const rows = await this.#db
      .selectFrom('search_counts')
      .where('query', 'in', queries)
      .where('action', '<>', NO_ACTION)
      .select(({ fn }) => ['query', 'action', fn.sum<number>('searches').as('shown'), fn.sum<number>('used').as('used')])
      .groupBy(['query', 'action'])
      .orderBy('shown', 'desc')
      .orderBy('action')
      .execute();
    for (const { query, action, shown, used } of rows)
      found.set(query, [...(found.get(query) ?? []), { action, shown: Number(shown), used: Number(used) }]);
    return found;
  }

  #upsert(rows: SearchCountRow[]) {
    return this.#db
      .insertInto('search_counts')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['day', 'query', 'action']).doUpdateSet(({ eb, ref, case: when }) => ({
          searches: eb('search_counts.searches', '+', ref('excluded.searches')),
          empty: eb('search_counts.empty', '+', ref('excluded.empty')),
          used: eb('search_counts.used', '+', ref('excluded.used')),
          last_at: when()
            .when('excluded.last_at', '>', ref('search_counts.last_at'))
            .then(ref('excluded.last_at'))
            .else(ref('search_counts.last_at'))
            .end(),
        })),
      );
  }

  #insertKeys(rows: SearchKeyRow[]) {
    return this.#db
      .insertInto('search_keys')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['day', 'query', 'agent_key_id']).doNothing());
  }
}

/** Adds up equal keys, and sorts the rows: the same order on every node prevents deadlocks. */
function summed(counts: readonly SearchCount[]): SearchCountRow[] {
  const sums = new Map<string, SearchCountRow>();
  for (const { day, query, action = NO_ACTION, searches, empty, used, lastAt } of counts) {
    const place = JSON.stringify([day, query, action]);
    const before = sums.get(place) ?? { day, query, action, searches: 0, empty: 0, used: 0, last_at: lastAt };
    sums.set(place, {
      ...before,
      searches: before.searches + searches,
      empty: before.empty + empty,
      used: before.used + used,
      last_at: Math.max(before.last_at, lastAt),
    });
  }
  return inOrder(sums);
}

function askers(counts: readonly SearchCount[]): SearchKeyRow[] {
  const rows = new Map<string, SearchKeyRow>();
  for (const { day, query, agentKeyIds = [] } of counts)
    for (const agent_key_id of agentKeyIds) rows.set(JSON.stringify([day, query, agent_key_id]), { day, query, agent_key_id });
  return inOrder(rows);
}

function inOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
