/**
 * The list of calls, newest first, fast at a million calls.
 *
 * Plan: one filter selects ranges of an index that is sorted by id: failures, a key, an action, a toolkit, or all calls. The other filters are
 *       checked along these ranges, mostly within the index, until there are enough calls. A session or a user has few calls, which are all read.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import type { InvocationFilter } from '../console-store';
import { actionRange, firstIdAt } from './statements';
import type { InvocationRow, Tables } from './tables';

/** Ranges with fewer calls than this are read completely. */
const FEW = 5_000;
/** SQLite allows at most 500 queries in one compound SELECT. */
const RANGES_PER_STATEMENT = 100;

export type ListQuery = InvocationFilter & { limit: number; before?: string | undefined };

type Condition = RawBuilder<SqlBool>;

interface Ranges {
  conditions: readonly Condition[];
  /** The filters that the conditions do not cover. */
  left: InvocationFilter;
  /** True when each range is sorted by id. Only the range of the few running calls is not. */
  isOrdered: boolean;
}

const ID = sql.ref('id');
/** Expressions that hide a column from the planner, which misjudges filters that combine rare and common values. */
const CHECKED = {
  id: sql`coalesce(id, '')`,
  agentKeyId: sql`coalesce(agent_key_id, '')`,
  action: sql`coalesce(action, '')`,
  code: sql`coalesce(code, '')`,
};

export async function listRows(db: Kysely<Tables>, query: ListQuery): Promise<InvocationRow[]> {
  const { conditions, left, isOrdered } = await chosen(db, rangesOf(withoutImplied(query)));
  const { limit } = query;
  const id = isOrdered ? ID : CHECKED.id;
  const rest = [...within(query, id), ...checks(left)];
  const rows = new Map<string, InvocationRow>();
  for (let at = 0; at < conditions.length; at += RANGES_PER_STATEMENT) {
    const newest = conditions
      .slice(at, at + RANGES_PER_STATEMENT)
      .map(
        (range) =>
          sql`select id from (select id from invocations where ${all([range, ...rest])} order by ${id} desc limit ${limit}) as part`,
      );
    const found = db
      .selectFrom('invocations')
      .selectAll()
      .where(sql<SqlBool>`id in (${sql.join(newest, sql` union all `)})`);
    for (const row of await found.orderBy('id', 'desc').limit(limit).execute()) rows.set(row.id, row);
  }
  return [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
}

/** Removes from `visible` what the other filters already imply. */
function withoutImplied(filter: InvocationFilter): InvocationFilter {
  const { visible, agentKeyIds, actions, toolkits } = filter;
  if (!visible) return filter;
  const isVisible = (toolkit: string) => visible.toolkits.includes(toolkit);
  const seen = [
    share(agentKeyIds, (id) => visible.agentKeyIds.includes(id)),
    share(toolkits, isVisible),
    share(actions, (action) => action.includes(ACTION_ID_SEPARATOR) && isVisible(action.slice(0, action.indexOf(ACTION_ID_SEPARATOR)))),
  ];
  if (seen.includes('all')) return { ...filter, visible: undefined };
  const [keys, ...ofToolkits] = seen;
  return {
    ...filter,
    visible: {
      agentKeyIds: keys === 'none' ? [] : visible.agentKeyIds,
      toolkits: ofToolkits.includes('none') ? [] : visible.toolkits,
    },
  };
}

function share(ids: readonly string[] | undefined, isVisible: (id: string) => boolean): 'all' | 'some' | 'none' | undefined {
  if (!ids) return undefined;
  const count = ids.filter(isVisible).length;
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some';
}

/** Returns the first choice that few calls match, otherwise the first. */
async function chosen(db: Kysely<Tables>, choices: [Ranges, ...Ranges[]]): Promise<Ranges> {
  if (choices.length > 1) for (const ranges of choices) if (await matchesFew(db, ranges)) return ranges;
  return choices[0];
}

async function matchesFew(db: Kysely<Tables>, { conditions }: Ranges): Promise<boolean> {
  if (conditions.length > RANGES_PER_STATEMENT) return false;
  const any = conditions.map((range) => sql`select 1 from (select 1 from invocations where ${range} limit ${sql.lit(FEW)}) as part`);
  const count = sql<{ calls: number }>`select count(*) as calls from (${sql.join(any, sql` union all `)}) as calls`;
  return conditions.length === 0 || Number((await count.execute(db)).rows[0]?.calls) < FEW;
}

function rangesOf(filter: InvocationFilter): [Ranges, ...Ranges[]] {
  const { ids, sessionId, userId, madeBy, origin, agentKeyIds, actions, toolkits, visible, outcome, toolkitCode } = filter;
  if (ids)
    return [{ conditions: ids.length === 0 ? [] : [sql`id in (${sql.join(ids)})`], left: { ...filter, ids: undefined }, isOrdered: true }];
  if (madeBy !== undefined) return [{ conditions: [sql`made_by = ${madeBy}`], left: { ...filter, madeBy: undefined }, isOrdered: true }];
  if (sessionId !== undefined || userId !== undefined)
    return [
      { conditions: [ofCaller({ sessionId, userId })], left: { ...filter, sessionId: undefined, userId: undefined }, isOrdered: false },
    ];
  if (toolkitCode !== undefined)
    return [{ conditions: [sql`toolkit_code = ${toolkitCode}`], left: { ...filter, toolkitCode: undefined }, isOrdered: true }];
  if (origin === 'console') return [{ conditions: [sql`origin = 'console'`], left: { ...filter, origin: undefined }, isOrdered: true }];
  if (outcome === 'running') return [{ conditions: [sql`code is null`], left: { ...filter, outcome: undefined }, isOrdered: false }];
  // The condition of the partial index, word for word, so that the planner uses it.
  if (outcome !== undefined && !isGood(outcome))
    return [{ conditions: [sql`code <> 'OK'`], left: { ...filter, outcome: outcome === 'error' ? undefined : outcome }, isOrdered: true }];
  const choices: Ranges[] = [];
  if (agentKeyIds) choices.push({ conditions: agentKeyIds.map(ofKey), left: { ...filter, agentKeyIds: undefined }, isOrdered: true });
  if (actions) choices.push({ conditions: actions.map(ofAction), left: { ...filter, actions: undefined }, isOrdered: true });
  else if (toolkits) choices.push({ conditions: toolkits.map(ofToolkit), left: { ...filter, toolkits: undefined }, isOrdered: true });
  else if (visible) {
    const conditions = [...visible.agentKeyIds.map(ofKey), ...visible.toolkits.map(ofToolkit)];
    choices.push({ conditions, left: { ...filter, visible: undefined }, isOrdered: true });
  }
  const [first = { conditions: [sql<SqlBool>`1 = 1`], left: filter, isOrdered: true }, ...others] = choices;
  return [first, ...others];
}

function ofCaller({ sessionId, userId }: Pick<InvocationFilter, 'sessionId' | 'userId'>): Condition {
  const named = [
    ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
  ];
  return sql`id in (select id from session_requests where ${sql.join(named, sql` and `)})`;
}

function ofKey(id: string): Condition {
  return sql`agent_key_id = ${id}`;
}

function ofAction(id: string): Condition {
  return sql`action = ${id}`;
}

function ofToolkit(id: string): Condition {
  return sql`toolkit = ${id}`;
}

/** All conditions except the time range. */
function checks({ agentKeyIds, actions, toolkits, outcome, toolkitCode, visible, origin }: InvocationFilter): Condition[] {
  const conditions: Condition[] = [];
  if (origin !== undefined) conditions.push(origin === 'console' ? sql`origin = 'console'` : sql`origin is null`);
  if (toolkitCode !== undefined) conditions.push(sql`toolkit_code = ${toolkitCode}`);
  if (agentKeyIds) conditions.push(among(CHECKED.agentKeyId, agentKeyIds));
  if (actions) conditions.push(among(CHECKED.action, actions));
  if (toolkits) conditions.push(amongToolkits(toolkits));
  if (visible) conditions.push(sql`(${among(CHECKED.agentKeyId, visible.agentKeyIds)} or ${amongToolkits(visible.toolkits)})`);
  if (outcome === 'running') conditions.push(sql`code is null`);
  else if (outcome === 'error') conditions.push(sql`${CHECKED.code} not in ('', 'OK')`);
  else if (outcome !== undefined) conditions.push(sql`${CHECKED.code} = ${isGood(outcome) ? 'OK' : outcome}`);
  return conditions;
}

function isGood(outcome: string): boolean {
  return outcome === 'ok' || outcome === 'OK';
}

function within({ from, to, before }: ListQuery, id: RawBuilder<unknown>): Condition[] {
  const conditions: Condition[] = [];
  if (from !== undefined) conditions.push(sql`${id} >= ${firstIdAt(from)}`);
  if (to !== undefined) conditions.push(sql`${id} < ${firstIdAt(to)}`);
  if (before !== undefined) conditions.push(sql`${id} < ${before}`);
  return conditions;
}

/** Filters toolkits by their actions, since the indexes of keys and failures contain the action. */
function amongToolkits(ids: readonly string[]): Condition {
  if (ids.length === 0) return sql`1 = 0`;
  const ranges = ids.map(actionRange).map(({ from, to }) => sql`(${CHECKED.action} >= ${from} and ${CHECKED.action} < ${to})`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function among(column: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
}

function all(conditions: readonly Condition[]): Condition {
  return sql`${sql.join(conditions, sql` and `)}`;
}
