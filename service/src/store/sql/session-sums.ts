/** Sums of sessions and users. Additions go in as one JSON parameter each, as in `addRows`; the same order on every node prevents deadlocks. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActivitySort } from '#sdk/protocol/admin';
import { DAY_MS } from '../../lib/utc-day';
import migration from '../migrations/0028-session-sums.sql';
import type {
  Activity,
  ModelTokens,
  SessionAddition,
  SessionListQuery,
  SessionRecord,
  SessionSumStore,
  UsageRecord,
  UsedTokens,
  UserAddition,
  UserDay,
  UserListQuery,
  UserRecord,
} from '../session-store';
import { inPieces } from './statements';
import type { Atomically, Tables } from './tables';

/** Few enough that other writers are not delayed noticeably. */
const ROWS_PER_CHANGE = 500;

const COUNTS = ['searches', 'in_vain', 'calls', 'errors', 'cost', 'input_tokens', 'cached_tokens', 'output_tokens'] as const;
const TOKENS = ['input_tokens', 'cached_tokens', 'output_tokens'] as const;

type Condition = RawBuilder<SqlBool>;
type Column = readonly [name: string, type: 'text' | 'bigint'];

const ACTIVITY: readonly Column[] = [['first_at', 'bigint'], ['last_at', 'bigint'], ...COUNTS.map((name): Column => [name, 'bigint'])];
const SESSION: readonly Column[] = [
  ['session_id', 'text'],
  ['agent_key_id', 'text'],
  ...ACTIVITY,
  ['user_id', 'text'],
  ['last_call_at', 'bigint'],
  ['last_code', 'text'],
];
const USER_DAY: readonly Column[] = [['user_id', 'text'], ['day', 'bigint'], ['agent_key_id', 'text'], ...ACTIVITY];

const SORTED_BY: Record<ActivitySort, RawBuilder<unknown>> = {
  lastActivity: sql`last_at`,
  cost: sql`cost`,
  searches: sql`searches`,
  calls: sql`calls`,
  errors: sql`errors`,
  tokens: sql`(input_tokens + output_tokens)`,
  duration: sql`(last_at - first_at)`,
};

export class SqlSessionSums implements SessionSumStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add({ sessions, users }: { sessions: readonly SessionAddition[]; users: readonly UserAddition[] }): Promise<void> {
    const ofSessions = inPieces(sessions.toSorted(by(({ sessionId, agentKeyId }) => [sessionId, agentKeyId])));
    const ofUsers = inPieces(users.toSorted(by(({ userId, day, agentKeyId }) => [userId, day, agentKeyId])));
    await this.#atomically([
      ...ofSessions.map((some) => this.#addSessions(some)),
      ...ofUsers.map((some) =>
        this.#upsert('user_days', USER_DAY, fromJson(USER_DAY, some.map(toUserDayValues)), ['user_id', 'day', 'agent_key_id']),
      ),
    ]);
  }

  async addUsage(usage: readonly UsageRecord[]): Promise<void> {
    for (const some of inPieces(usage)) await this.#addUsage(some);
  }

  async list({ userId, outcome, inVain, dearerThan, after, ...query }: SessionListQuery): Promise<SessionRecord[]> {
    const conditions = [...inRange(query), ...ofKeys(query.agentKeyIds), ...withText(sql`session_id`, query.text)];
    if (userId !== undefined) conditions.push(sql`user_id = ${userId}`);
    if (outcome === 'ok') conditions.push(sql`errors = 0`);
    if (outcome === 'error') conditions.push(sql`errors > 0`);
    if (outcome === 'endedInError') conditions.push(sql`last_code <> 'OK'`);
    if (inVain) conditions.push(sql`in_vain > 0`);
    if (dearerThan !== undefined) conditions.push(sql`cost > cast(${String(dearerThan)} as bigint)`);
    const place = [SORTED_BY[query.sort], sql`agent_key_id`, sql`session_id`];
    const last = after && [sql`cast(${after.value} as bigint)`, sql`${after.agentKeyId}`, sql`${after.sessionId}`];
    const { rows } = await sql<SessionRow>`select ${SESSION_COLUMNS} from session_sums ${page(query, place, last, conditions)}`.execute(
      this.#db,
    );
    return rows.map(toSession);
  }

  async find(sessionId: string, agentKeyIds?: readonly string[]): Promise<SessionRecord[]> {
    const where = all([sql`session_id = ${sessionId}`, ...ofKeys(agentKeyIds)]);
    const { rows } = await sql<SessionRow>`select ${SESSION_COLUMNS} from session_sums where ${where} order by first_at`.execute(this.#db);
    return rows.map(toSession);
  }

  async users({ after, ...query }: UserListQuery): Promise<UserRecord[]> {
    const conditions = [...ofKeys(query.agentKeyIds), ...withText(sql`user_id`, query.text)];
    const sums = sql`select user_id, ${ACTIVITY_SUMS} from user_days where ${all(conditions)} group by user_id`;
    const last = after && [sql`cast(${after.value} as bigint)`, sql`${after.userId}`];
    const rest = page(query, [SORTED_BY[query.sort], sql`user_id`], last, inRange(query));
    const { rows } = await sql<UserRow>`select user_id, ${ACTIVITY_COLUMNS} from (${sums}) as sums ${rest}`.execute(this.#db);
    return rows.map((row) => ({ userId: row.user_id, ...toActivity(row), tokens: toTokens(row) }));
  }

  async user(userId: string, agentKeyIds?: readonly string[]): Promise<UserRecord | undefined> {
    const where = all([sql`user_id = ${userId}`, ...ofKeys(agentKeyIds)]);
    const sums = sql`select user_id, ${ACTIVITY_SUMS} from user_days where ${where} group by user_id`;
    const { rows } = await sql<UserRow>`select user_id, ${ACTIVITY_COLUMNS} from (${sums}) as sums`.execute(this.#db);
    return rows.map((row) => ({ userId: row.user_id, ...toActivity(row), tokens: toTokens(row) }))[0];
  }

  async daysOf(userId: string, agentKeyIds?: readonly string[]): Promise<UserDay[]> {
    const where = all([sql`user_id = ${userId}`, ...ofKeys(agentKeyIds)]);
    const sums = sql`select day, ${ACTIVITY_SUMS} from user_days where ${where} group by day`;
    const { rows } = await sql<ActivityRow & { day: number }>`select day, ${ACTIVITY_COLUMNS} from (${sums}) as sums order by day`.execute(
      this.#db,
    );
    return rows.map((row) => {
      const { firstAt: _first, lastAt: _last, ...counts } = toActivity(row);
      return { day: Number(row.day), ...counts, tokens: toTokens(row) };
    });
  }

  async sessionsOf(userIds: readonly string[], agentKeyIds?: readonly string[]): Promise<Map<string, number>> {
    if (userIds.length === 0) return new Map();
    const where = all([sql`user_id in (${sql.join(userIds)})`, ...ofKeys(agentKeyIds)]);
    const { rows } = await sql<{ user_id: string; sessions: number }>`
      select user_id, count(*) as sessions from session_sums where ${where} group by user_id`.execute(this.#db);
    return new Map(rows.map(({ user_id, sessions }) => [user_id, Number(sessions)]));
  }

  async models(of: { sessionId: string } | { userId: string }, agentKeyIds?: readonly string[]): Promise<ModelTokens[]> {
    const whose: Condition = 'userId' in of ? sql`user_id = ${of.userId}` : sql`session_id = ${of.sessionId}`;
    const sums = TOKENS.map((name) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`);
    const { rows } = await sql<TokenRow & { model: string }>`
      select model, ${sql.join(sums)} from session_usage where ${all([whose, ...ofKeys(agentKeyIds)])}
      group by model order by sum(input_tokens + output_tokens) desc, model`.execute(this.#db);
    return rows.map((row) => ({ model: row.model, tokens: toTokens(row) }));
  }

  async forgetModels(): Promise<void> {
    const rename = (at: RawBuilder<unknown>) =>
      sql`update session_usage set model = '' where model <> '' and (session_id, agent_key_id, id) in (${at})`;
    await this.#inSteps('session_usage', ['session_id', 'agent_key_id', 'id'], sql`model <> ''`, rename);
  }

  async prune(before: number): Promise<void> {
    const remove = (table: string, key: readonly string[], old: Condition) =>
      this.#inSteps(table, key, old, (rows) => sql`delete from ${sql.table(table)} where (${columns(key)}) in (${rows})`);
    await remove('session_sums', ['session_id', 'agent_key_id'], sql`last_at < ${before}`);
    await remove('user_days', ['user_id', 'day', 'agent_key_id'], sql`day < ${before - DAY_MS}`);
    await remove('session_usage', ['session_id', 'agent_key_id', 'id'], sql`at < ${before}`);
  }

  #addSessions(some: readonly SessionAddition[]): Compilable {
    return this.#upsert(
      'session_sums',
      SESSION,
      fromJson(SESSION, some.map(toSessionValues)),
      ['session_id', 'agent_key_id'],
      [
        sql`user_id = coalesce(excluded.user_id, session_sums.user_id)`,
        sql`last_code = case when session_sums.last_call_at > coalesce(excluded.last_call_at, -1) then session_sums.last_code else excluded.last_code end`,
        sql`last_call_at = case when session_sums.last_call_at > coalesce(excluded.last_call_at, -1) then session_sums.last_call_at else excluded.last_call_at end`,
      ],
    );
  }

  /** The rows that this write inserted, and no others, are added to the sums: `batch` names them. */
  async #addUsage(some: readonly UsageRecord[]): Promise<void> {
    const batch = randomUUID();
    const since = Math.min(...some.map(({ at }) => at));
    const rows = some.toSorted(by(({ sessionId, agentKeyId, id }) => [sessionId, agentKeyId, id])).map((usage) => toUsageRow(usage, batch));
    const insert = this.#db
      .insertInto('session_usage')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['session_id', 'agent_key_id', 'id']).doNothing());
    const inserted = sql`from session_usage where at >= ${since} and batch = ${batch}`;
    const sums = sql`min(at), max(at), 0, 0, 0, 0, 0, sum(input_tokens), sum(cached_tokens), sum(output_tokens)`;
    const day = sql`at - at % ${sql.lit(DAY_MS)}`;
    await this.#atomically([
      insert,
      this.#upsert(
        'session_sums',
        SESSION,
        sql`select session_id, agent_key_id, ${sums}, max(user_id), cast(null as bigint), cast(null as text)
          ${inserted} group by session_id, agent_key_id order by session_id, agent_key_id`,
        ['session_id', 'agent_key_id'],
        [sql`user_id = coalesce(excluded.user_id, session_sums.user_id)`],
      ),
      this.#upsert(
        'user_days',
        USER_DAY,
        sql`select user_id, ${day}, agent_key_id, ${sums} ${inserted} and user_id is not null
          group by user_id, ${day}, agent_key_id order by user_id, ${day}, agent_key_id`,
        ['user_id', 'day', 'agent_key_id'],
      ),
    ]);
  }

  #upsert(
    table: 'session_sums' | 'user_days',
    into: readonly Column[],
    select: RawBuilder<unknown>,
    key: readonly string[],
    more: RawBuilder<unknown>[] = [],
  ): Compilable {
    const kept = (name: string) => sql.ref(`${table}.${name}`);
    const added = (name: string) => sql.ref(`excluded.${name}`);
    const changes = [
      sql`first_at = case when ${added('first_at')} < ${kept('first_at')} then ${added('first_at')} else ${kept('first_at')} end`,
      sql`last_at = case when ${added('last_at')} > ${kept('last_at')} then ${added('last_at')} else ${kept('last_at')} end`,
      ...COUNTS.map((name) => sql`${sql.ref(name)} = ${kept(name)} + ${added(name)}`),
      ...more,
    ];
    const query = sql`
      insert into ${sql.table(table)} (${columns(into.map(([name]) => name))}) ${select}
      on conflict (${columns(key)}) do update set ${sql.join(changes)}`;
    return { compile: () => query.compile(this.#db) };
  }

  /** Changes the rows that match, until none does. `change` gets a query of their keys. */
  async #inSteps(table: string, key: readonly string[], matching: Condition, change: (rows: RawBuilder<unknown>) => RawBuilder<unknown>) {
    for (;;) {
      const rows = sql`select ${columns(key)} from ${sql.table(table)} where ${matching} limit ${sql.lit(ROWS_PER_CHANGE)}`;
      const { numAffectedRows } = await change(rows).execute(this.#db);
      if (Number(numAffectedRows ?? 0) < ROWS_PER_CHANGE) return;
      await setImmediate();
    }
  }
}

/** Computes the sums of imported requests, as the migration does. The tables of sums must be empty. */
export async function deriveSessionSums(db: Kysely<Tables>): Promise<void> {
  const derivation = migration.slice(migration.indexOf('INSERT INTO session_sums'));
  for (const statement of derivation.split(';\n').filter((text) => text.trim() !== '')) await sql.raw(statement).execute(db);
}

const ACTIVITY_COLUMNS = sql.join([
  ...['first_at', 'last_at', 'searches', 'in_vain', 'calls', 'errors'].map((name) => sql.ref(name)),
  sql`cast(cost as text) as cost`,
  ...TOKENS.map((name) => sql.ref(name)),
]);
const SESSION_COLUMNS = sql`session_id, agent_key_id, user_id, last_code, ${ACTIVITY_COLUMNS}`;
/** PostgreSQL adds up to a type of its own. */
const ACTIVITY_SUMS = sql.join([
  sql`min(first_at) as first_at`,
  sql`max(last_at) as last_at`,
  ...COUNTS.map((name) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`),
]);

interface TokenRow {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
}

interface ActivityRow extends TokenRow {
  first_at: number;
  last_at: number;
  searches: number;
  in_vain: number;
  calls: number;
  errors: number;
  cost: string;
}

interface UserRow extends ActivityRow {
  user_id: string;
}

interface SessionRow extends ActivityRow {
  session_id: string;
  agent_key_id: string;
  user_id: string | null;
  last_code: string | null;
}

function toActivity(row: ActivityRow): Activity {
  return {
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
    searches: Number(row.searches),
    inVain: Number(row.in_vain),
    calls: Number(row.calls),
    errors: Number(row.errors),
    cost: BigInt(row.cost),
  };
}

function toTokens(row: TokenRow): UsedTokens {
  return { input: Number(row.input_tokens), cached: Number(row.cached_tokens), output: Number(row.output_tokens) };
}

function toSession(row: SessionRow): SessionRecord {
  const ids = { agentKeyId: row.agent_key_id, sessionId: row.session_id, userId: row.user_id };
  return { ...ids, ...toActivity(row), tokens: toTokens(row), lastCode: row.last_code };
}

function toUsageRow({ agentKeyId, sessionId, userId, id, model, tokens, at }: UsageRecord, batch: string) {
  return {
    ...{ session_id: sessionId, agent_key_id: agentKeyId, id, user_id: userId, model, at, batch },
    ...{ input_tokens: tokens.input, cached_tokens: tokens.cached, output_tokens: tokens.output },
  };
}

/** The values are in the order of `ACTIVITY`. A cost may exceed the exact numbers of JSON. */
function toActivityValues({ firstAt, lastAt, searches, inVain, calls, errors, cost }: Activity): unknown[] {
  return [firstAt, lastAt, searches, inVain, calls, errors, String(cost), 0, 0, 0];
}

function toSessionValues({ sessionId, agentKeyId, userId, lastCall, ...activity }: SessionAddition): unknown[] {
  return [sessionId, agentKeyId, ...toActivityValues(activity), userId, lastCall?.at ?? null, lastCall?.code ?? null];
}

function toUserDayValues({ userId, day, agentKeyId, ...activity }: UserAddition): unknown[] {
  return [userId, day, agentKeyId, ...toActivityValues(activity)];
}

function fromJson(into: readonly Column[], rows: readonly unknown[][]): RawBuilder<unknown> {
  const values = into.map(([, type], place) => sql`cast(value ->> ${sql.lit(place)} as ${sql.raw(type)})`);
  return sql`select ${sql.join(values)} from json_each(${JSON.stringify({ ...rows })}) where true`;
}

function page(
  { order, limit }: Pick<SessionListQuery, 'order' | 'limit'>,
  place: readonly RawBuilder<unknown>[],
  last: readonly RawBuilder<unknown>[] | undefined,
  conditions: readonly Condition[],
): RawBuilder<unknown> {
  const [direction, beyond] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const where = all([...conditions, ...(last ? [sql<SqlBool>`(${sql.join(place)}) ${beyond} (${sql.join(last)})`] : [])]);
  const sorted = place.map((column) => sql`${column} ${direction}`);
  return sql`where ${where} order by ${sql.join(sorted)} limit ${limit}`;
}

function inRange({ from, to }: Pick<SessionListQuery, 'from' | 'to'>): Condition[] {
  return [...(from === undefined ? [] : [sql<SqlBool>`last_at >= ${from}`]), ...(to === undefined ? [] : [sql<SqlBool>`last_at < ${to}`])];
}

function ofKeys(agentKeyIds: readonly string[] | undefined): Condition[] {
  if (agentKeyIds === undefined) return [];
  return [agentKeyIds.length === 0 ? sql`1 = 0` : sql`agent_key_id in (${sql.join(agentKeyIds)})`];
}

function withText(column: RawBuilder<unknown>, text: string | undefined): Condition[] {
  if (text === undefined) return [];
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return [sql`lower(${column}) like ${pattern} escape '\\'`];
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

function columns(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

function by<T>(placeOf: (item: T) => readonly (string | number)[]): (one: T, other: T) => number {
  return (one, other) => {
    const [first, second] = [placeOf(one), placeOf(other)];
    for (const [index, value] of first.entries()) {
      const against = second[index] as string | number;
      if (value !== against) return value < against ? -1 : 1;
    }
    return 0;
  };
}
