/**
 * Which calls, newest first, at a million of them: every filter can be rare or common, and so can what two of them have in common.
 *
 * Way: sets of calls that an index gives (of keys, actions, toolkits, outcomes, times) are counted, up to a bound. A small one is read whole,
 *      and what else is asked is looked up in its rows. Without a small one the calls are read from the newest on, along the index of the smallest
 *      set that keeps them in order, or along all of them, until there are enough.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { ACTION_ID_SEPARATOR } from '../../../protocol/ids';
import type { InvocationFilter } from '../console-store';
import { firstIdAt } from '../invocation-time';
import type { InvocationRow, Tables } from './tables';

export interface SetSizes {
  /** A set with fewer calls is small. */
  small: number;
  /** Up to here larger sets are told apart. */
  counted: number;
}

/** So many rows are read and put in order in some 30 ms. */
const SIZES: SetSizes = { small: 20_000, counted: 100_000 };
/** Of an index, that one statement reads from: SQLite joins 500 at most. */
const PLACES_PER_STATEMENT = 100;

export type ListQuery = InvocationFilter & { limit: number; before?: string | undefined };

type Visible = NonNullable<InvocationFilter['visible']>;
type Condition = RawBuilder<SqlBool>;

interface IndexedSet {
  condition: Condition;
  /** Conditions that together are this one, each with one place in an index where calls stand in the order of their ids. */
  places: Condition[] | undefined;
}

/** Only these are looked up in an index. */
const INDEXED = { id: sql.ref('id'), agentKeyId: sql.ref('agent_key_id'), action: sql.ref('action'), code: sql.ref('code') };
/** No engine takes an index for these: which one is best is known here. */
const READ = { id: sql`(id || '')`, agentKeyId: sql`(agent_key_id || '')`, action: sql`(action || '')`, code: sql`(code || '')` };

type Columns = typeof READ;

/** In the words of the index on them. */
const FAILED: Condition = sql`code <> 'OK'`;
const RUNNING: Condition = sql`code is null`;

export async function listRows(db: Kysely<Tables>, query: ListQuery, { small, counted } = SIZES): Promise<InvocationRow[]> {
  const filter = withoutImplied(query);
  const sets = indexedSets(filter);
  if (!sets) return [];
  const { limit, from } = query;
  const rest = matching(filter, READ);
  const bounds = within(query, INDEXED);
  const newest = () => rowsOf(db, all([...bounds, ...rest]), limit);
  if (sets.length === 0) return newest();
  if (from !== undefined && (await countUpTo(db, small, all(bounds))) < small) return newest();

  const inSet = ({ condition, places }: IndexedSet) => all([condition, ...within(query, places ? INDEXED : READ)]);
  const least = await smallest(sets, (set) => countUpTo(db, small, inSet(set)));
  if (least.count < small) return rowsWith(db, sorted(all([inSet(least.set), ...rest]), limit), limit);
  const ordered = sets.filter(({ places }) => places);
  if (ordered.length === 0) return newest();
  const { set } = await smallest(ordered, (one) => countUpTo(db, counted, inSet(one)));
  const places = set.condition === FAILED ? await failures(db) : (set.places ?? []);
  return rowsAt(
    db,
    places.map((place) => all([place, ...bounds, ...rest])),
    limit,
  );
}

/** Without what the rest of the filter says already about what one may see. */
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

/** Undefined when nothing can match. */
function indexedSets({ agentKeyIds, actions, toolkits, outcome, visible }: InvocationFilter): IndexedSet[] | undefined {
  const sets: IndexedSet[] = [];
  if (agentKeyIds) sets.push(keySet(agentKeyIds));
  if (actions) sets.push({ condition: among(INDEXED.action, actions), places: actions.map((action) => sql`action = ${action}`) });
  if (toolkits) sets.push({ condition: ofToolkits(INDEXED, toolkits), places: undefined });
  if (visible) sets.push(visibleSet(visible));
  if (outcome === 'running') sets.push({ condition: RUNNING, places: undefined });
  else if (outcome === 'error') sets.push({ condition: FAILED, places: [] });
  else if (outcome !== undefined && !isGood(outcome)) {
    const condition = all([FAILED, sql`code = ${outcome}`]);
    sets.push({ condition, places: [condition] });
  }
  const lists = [agentKeyIds, actions, toolkits, visible && [...visible.agentKeyIds, ...visible.toolkits]];
  return lists.some((list) => list?.length === 0) ? undefined : sets;
}

function keySet(ids: readonly string[]): IndexedSet {
  return { condition: among(INDEXED.agentKeyId, ids), places: ids.map((id) => sql`agent_key_id = ${id}`) };
}

function visibleSet(visible: Visible): IndexedSet {
  if (visible.toolkits.length === 0) return keySet(visible.agentKeyIds);
  return { condition: ofVisible(INDEXED, visible), places: undefined };
}

/** All that a call must be, but for its time. */
function matching({ agentKeyIds, actions, toolkits, outcome, visible }: InvocationFilter, columns: Columns): Condition[] {
  const conditions: Condition[] = [];
  if (agentKeyIds) conditions.push(among(columns.agentKeyId, agentKeyIds));
  if (actions) conditions.push(among(columns.action, actions));
  if (toolkits) conditions.push(ofToolkits(columns, toolkits));
  if (visible) conditions.push(ofVisible(columns, visible));
  if (outcome === 'running') conditions.push(sql`${columns.code} is null`);
  else if (outcome === 'error') conditions.push(sql`${columns.code} <> 'OK'`);
  else if (outcome !== undefined) conditions.push(sql`${columns.code} = ${isGood(outcome) ? 'OK' : outcome}`);
  return conditions;
}

function isGood(outcome: string): boolean {
  return outcome === 'ok' || outcome === 'OK';
}

function within({ from, to, before }: ListQuery, { id }: Columns): Condition[] {
  const conditions: Condition[] = [];
  if (from !== undefined) conditions.push(sql`${id} >= ${firstIdAt(from)}`);
  if (to !== undefined) conditions.push(sql`${id} < ${firstIdAt(to)}`);
  if (before !== undefined) conditions.push(sql`${id} < ${before}`);
  return conditions;
}

function ofVisible(columns: Columns, { agentKeyIds, toolkits }: Visible): Condition {
  return sql`(${among(columns.agentKeyId, agentKeyIds)} or ${ofToolkits(columns, toolkits)})`;
}

function ofToolkits({ action }: Columns, ids: readonly string[]): Condition {
  if (ids.length === 0) return sql`1 = 0`;
  // The character after the last one of the separator ends the range.
  const ranges = ids.map((id) => sql`(${action} >= ${id + ACTION_ID_SEPARATOR} and ${action} < ${`${id}_\``})`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function among(column: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

async function smallest(
  sets: readonly IndexedSet[],
  count: (set: IndexedSet) => Promise<number>,
): Promise<{ set: IndexedSet; count: number }> {
  const counted = await Promise.all(sets.map(async (set) => ({ set, count: await count(set) })));
  return counted.reduce((best, one) => (one.count < best.count ? one : best));
}

async function countUpTo(db: Kysely<Tables>, bound: number, condition: Condition): Promise<number> {
  const counted = sql<{ number: number }>`
    select count(*) as number from (select 1 from invocations where ${condition} limit ${sql.lit(bound)}) as calls`;
  return Number((await counted.execute(db)).rows[0]?.number);
}

/** A place for each code that there is. */
async function failures(db: Kysely<Tables>): Promise<Condition[]> {
  const first = (more: RawBuilder<unknown>) => sql`select code from invocations where ${FAILED} ${more} order by code limit 1`;
  const codes = sql<{ code: string }>`
    with recursive codes (code) as (
      select (${first(sql``)})
      union all
      select (${first(sql`and code > codes.code`)}) from codes where codes.code is not null
    )
    select code from codes where code is not null`;
  return (await codes.execute(db)).rows.map(({ code }) => all([FAILED, sql`code = ${code}`]));
}

async function rowsAt(db: Kysely<Tables>, places: readonly Condition[], limit: number): Promise<InvocationRow[]> {
  const rows: InvocationRow[] = [];
  for (let start = 0; start < places.length; start += PLACES_PER_STATEMENT) {
    const some = places.slice(start, start + PLACES_PER_STATEMENT);
    const ids = some.map(
      (place) => sql`select id from (select id from invocations where ${place} order by id desc limit ${limit}) as place`,
    );
    rows.push(...(await rowsWith(db, sql`${sql.join(ids, sql` union all `)}`, limit)));
  }
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
}

function sorted(condition: Condition, limit: number): RawBuilder<unknown> {
  return sql`select id from invocations where ${condition} order by ${READ.id} desc limit ${limit}`;
}

/** @param ids a query */
function rowsWith(db: Kysely<Tables>, ids: RawBuilder<unknown>, limit: number): Promise<InvocationRow[]> {
  return rowsOf(db, sql`id in (select id from (${ids}) as found)`, limit);
}

async function rowsOf(db: Kysely<Tables>, condition: Condition, limit: number): Promise<InvocationRow[]> {
  return db.selectFrom('invocations').selectAll().where(condition).orderBy('id', 'desc').limit(limit).execute();
}
