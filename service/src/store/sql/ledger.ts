/** Queries on the ledger. The engines write it together with the starts and the outcomes of calls. */
import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DAY_MS, dayText, utcDay } from '../../lib/utc-day';
import type { LedgerEntry, LedgerFilter, LedgerPage, LedgerStore, LedgerSum, LedgerTotal, SpendingDimension, Spent } from '../store';
import { firstIdAt, inPieces, toolkitOf } from './statements';
import type { Tables } from './tables';

/** The parts of a sum: amounts in millionths may add up to more than an integer of the database, so whole units and their rest are added apart. */
const UNIT = sql.lit(1_000_000);
const WHOLE = sql`coalesce(sum(charged / ${UNIT}), 0)`;
const REST = sql`coalesce(sum(charged % ${UNIT}), 0)`;
const SUMS = sql`count(*) as calls,
  cast(${WHOLE} as text) as charged_whole,
  cast(${REST} as text) as charged_rest,
  cast(coalesce(sum(case when charged is null then authorised / ${UNIT} end), 0) as text) as held_whole,
  cast(coalesce(sum(case when charged is null then authorised % ${UNIT} end), 0) as text) as held_rest`;
/** Divided as whole numbers: SQLite cuts the first term, which the second one decides. */
const HIGHEST_CHARGE = sql`${WHOLE} + ${REST} / ${UNIT} desc, ${REST} % ${UNIT} desc`;
const COLUMNS = sql`invocation_id, agent_key_id, action, currency, cast(authorised as text) as authorised, cast(charged as text) as charged, held_at, booked_at, settled_at`;
const NAMES = {
  key: sql`agent_key_id`,
  toolkit: sql`toolkit`,
  action: sql`action`,
  day: sql`day`,
  session: sql`session_id`,
  user: sql`user_id`,
};
const LEDGER = sql`ledger`;
/** Only calls whose callers named a session or a user. */
const WITH_CALLERS = sql`(
  select ledger.*, session_requests.session_id, session_requests.user_id
  from ledger join session_requests on session_requests.id = ledger.invocation_id
) as ledger`;

/** SQLite allows at most 500 queries in one compound SELECT. */
const RANGES_PER_STATEMENT = 100;
/** The time in an id may differ from `held_at`: nodes have different clocks, and a call that starts over gets a new id. */
const MOST_DIFFERENCE_MS = DAY_MS;

type Condition = RawBuilder<SqlBool>;

interface Row {
  invocation_id: string;
  agent_key_id: string;
  action: string;
  currency: string;
  authorised: string;
  charged: string | null;
  held_at: number;
  booked_at: number | null;
  settled_at: number | null;
}

export class SqlLedger implements LedgerStore {
  readonly #db: Kysely<Tables>;
  readonly #saved: () => Promise<void>;

  /** @param saved resolves when the table has every entry */
  constructor(db: Kysely<Tables>, saved: () => Promise<void>) {
    this.#db = db;
    this.#saved = saved;
  }

  async spent(agentKeyIds: readonly string[], at: number): Promise<Map<string, Spent>> {
    if (agentKeyIds.length > 0) await this.#saved();
    const spent = new Map<string, Spent>();
    for (const ids of inPieces(agentKeyIds)) {
      const { rows } = await sql<{ id: string; charged: string; held: string }>`
        select agent_key_id as id, cast(coalesce(sum(charged), 0) as text) as charged,
          cast(coalesce(sum(case when charged is null then authorised end), 0) as text) as held
        from ledger where day = ${utcDay(at)} and agent_key_id in (${sql.join(ids)}) group by agent_key_id`.execute(this.#db);
      for (const { id, charged, held } of rows) spent.set(id, { charged: BigInt(charged), held: BigInt(held) });
    }
    return spent;
  }

  /** One filter selects ranges of an index that is sorted by id; the others are checked along these ranges. */
  async list({ order, cursor, limit, ...filter }: LedgerPage): Promise<LedgerEntry[]> {
    await this.#saved();
    const [direction, beyond] = order === 'oldest' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
    const after = cursor === undefined ? [] : [sql<SqlBool>`invocation_id ${beyond} ${cursor}`];
    const { ranges, left } = rangesOf(filter);
    const conditions = [...conditionsOf(left), ...after];
    const found = new Map<string, LedgerEntry>();
    for (let at = 0; at < ranges.length; at += RANGES_PER_STATEMENT) {
      const parts = ranges.slice(at, at + RANGES_PER_STATEMENT).map((range) => {
        const first = sql`select ${COLUMNS} from ledger where ${all([range, ...conditions])} order by invocation_id ${direction} limit ${limit}`;
        return sql`select * from (${first}) as part`;
      });
      for (const entry of await this.#entries(sql.join(parts, sql` union all `))) found.set(entry.invocationId, entry);
    }
    const sign = order === 'oldest' ? 1 : -1;
    return [...found.values()].sort((one, other) => (one.invocationId < other.invocationId ? -sign : sign)).slice(0, limit);
  }

  async ofCalls(invocationIds: readonly string[]): Promise<Map<string, LedgerEntry>> {
    if (invocationIds.length > 0) await this.#saved();
    const found = new Map<string, LedgerEntry>();
    for (const ids of inPieces(invocationIds))
      for (const entry of await this.#entries(sql`select ${COLUMNS} from ledger where invocation_id in (${sql.join(ids)})`))
        found.set(entry.invocationId, entry);
    return found;
  }

  async sums(
    by: SpendingDimension,
    { currency, limit, ...filter }: LedgerFilter & { currency: string; limit: number },
  ): Promise<LedgerSum[]> {
    await this.#saved();
    const name = NAMES[by];
    const order = by === 'day' ? sql`day` : sql`${HIGHEST_CHARGE}, ${name}`;
    const source = by === 'session' || by === 'user' ? WITH_CALLERS : LEDGER;
    const where = all([sql`currency = ${currency}`, sql`${name} is not null`, ...conditionsOf(filter)]);
    const { rows } = await sql<TotalRow & { name: string }>`
      select cast(${name} as text) as name, ${SUMS} from ${source} where ${where} group by ${name} order by ${order} limit ${limit}`.execute(
      this.#db,
    );
    return rows.map((row) => ({ name: by === 'day' ? dayText(Number(row.name)) : row.name, ...toTotal(row) }));
  }

  async total({ currency, ...filter }: LedgerFilter & { currency: string }): Promise<LedgerTotal> {
    await this.#saved();
    const where = all([sql`currency = ${currency}`, ...conditionsOf(filter)]);
    const { rows } = await sql<TotalRow>`select ${SUMS} from ledger where ${where}`.execute(this.#db);
    const [row] = rows;
    return row ? toTotal(row) : { calls: 0, charged: 0n, held: 0n };
  }

  async unsettled(limit: number): Promise<LedgerEntry[]> {
    await this.#saved();
    return this.#entries(
      sql`select ${COLUMNS} from ledger where settled_at is null and charged > 0 order by booked_at, invocation_id limit ${limit}`,
    );
  }

  async settle(invocationIds: readonly string[], at: number): Promise<void> {
    await this.#saved();
    for (const ids of inPieces(invocationIds))
      await this.#db
        .updateTable('ledger')
        .set({ settled_at: at })
        .where('invocation_id', 'in', ids)
        .where('settled_at', 'is', null)
        .execute();
  }

  async releaseHeld(before: number, at: number): Promise<number> {
    await this.#saved();
    // No call holds a budget of an earlier day. The clocks of nodes may differ.
    await this.#db
      .deleteFrom('spending')
      .where('day', '<', utcDay(at) - 1)
      .execute();
    const released = this.#db.updateTable('ledger').set({ charged: '0', booked_at: at }).where('charged', 'is', null);
    const { numUpdatedRows } = await released
      .where('held_at', '<', before)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('invocations').select('id').where(isUnknownSince(before)))))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  async currency(): Promise<string | undefined> {
    await this.#saved();
    const newest = this.#db.selectFrom('ledger').select('currency').orderBy('invocation_id', 'desc').limit(1);
    return (await newest.executeTakeFirst())?.currency;
  }

  async #entries(query: RawBuilder<unknown>): Promise<LedgerEntry[]> {
    const { rows } = (await query.execute(this.#db)) as { rows: Row[] };
    return rows.map(toEntry);
  }
}

/** The call of the ledger's entry runs, or has ended after `before`. */
function isUnknownSince(before: number) {
  return ({ and, or, eb }: ExpressionBuilder<Tables, 'ledger' | 'invocations'>) =>
    and([eb('invocations.id', '=', eb.ref('ledger.invocation_id')), or([eb('code', 'is', null), eb('ended_at', '>=', before)])]);
}

interface TotalRow {
  calls: number | string;
  charged_whole: string;
  charged_rest: string;
  held_whole: string;
  held_rest: string;
}

function toTotal(row: TotalRow): LedgerTotal {
  return {
    calls: Number(row.calls),
    charged: inMillionths(row.charged_whole, row.charged_rest),
    held: inMillionths(row.held_whole, row.held_rest),
  };
}

function inMillionths(whole: string, rest: string): bigint {
  return BigInt(whole) * 1_000_000n + BigInt(rest);
}

/** `left`: the filters that the ranges do not cover. Those of a key, a toolkit or an action select their ranges as conditions. */
function rangesOf({ visible, ...left }: LedgerFilter): { ranges: Condition[]; left: LedgerFilter } {
  const isOneRange = left.agentKeyId !== undefined || left.toolkit !== undefined || left.action !== undefined;
  if (isOneRange || !visible) return { ranges: [sql`1 = 1`], left: { ...left, visible } };
  const ofKeys = visible.agentKeyIds.map((id) => sql<SqlBool>`agent_key_id = ${id}`);
  return { ranges: [...ofKeys, ...visible.toolkits.map(heldByToolkit)], left };
}

function conditionsOf({ from, to, visible, agentKeyId, toolkit, action }: LedgerFilter): Condition[] {
  const found: Condition[] = [];
  if (from !== undefined) found.push(sql`held_at >= ${from}`, sql`invocation_id >= ${firstIdAt(from - MOST_DIFFERENCE_MS)}`);
  if (to !== undefined) found.push(sql`held_at < ${to}`, sql`invocation_id < ${firstIdAt(to + MOST_DIFFERENCE_MS)}`);
  if (agentKeyId !== undefined) found.push(sql`agent_key_id = ${agentKeyId}`);
  if (toolkit !== undefined) found.push(sql`toolkit = ${toolkit}`);
  if (action !== undefined) found.push(sql`toolkit = ${toolkitOf(action)}`, sql`action = ${action}`);
  if (visible) found.push(any([ofKeys(visible.agentKeyIds), ...visible.toolkits.map(heldByToolkit)]));
  return found;
}

function ofKeys(ids: readonly string[]): Condition {
  return ids.length === 0 ? sql`1 = 0` : sql`agent_key_id in (${sql.join(ids)})`;
}

function heldByToolkit({ id, since }: { id: string; since: number }): Condition {
  return sql`(toolkit = ${id} and held_at >= ${since})`;
}

function all(conditions: readonly Condition[]): Condition {
  return sql`${sql.join(conditions, sql` and `)}`;
}

function any(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` or `)})`;
}

function toEntry(row: Row): LedgerEntry {
  return {
    invocationId: row.invocation_id,
    agentKeyId: row.agent_key_id,
    action: row.action,
    currency: row.currency,
    authorised: BigInt(row.authorised),
    charged: row.charged === null ? null : BigInt(row.charged),
    heldAt: Number(row.held_at),
    bookedAt: row.booked_at === null ? null : Number(row.booked_at),
    settledAt: row.settled_at === null ? null : Number(row.settled_at),
  };
}
