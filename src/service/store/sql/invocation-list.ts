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
import { actionRange, firstIdAt } from './statements';
import type { InvocationRow, Tables } from './tables';

export interface ListPlan {
  /** The engine's planner has statistics, and takes the best index for what is read beside a set. Without them it has to be kept from guessing. */
  knowsSizes: boolean;
  /** A set with fewer calls is small. */
  small: number;
  /** Up to here larger sets are told apart. */
  counted: number;
}

/** So many rows are read and put in order in some 30 ms. */
const SIZES = { small: 20_000, counted: 100_000 };
/** SQLite joins 500 queries at most. */
const PARTS_PER_STATEMENT = 100;

export type ListQuery = InvocationFilter & { limit: number; before?: string | undefined };

type Visible = NonNullable<InvocationFilter['visible']>;
type Condition = RawBuilder<SqlBool>;

/** The calls of all parts, some of them in several. */
interface IndexedSet {
  /** Conditions that are each one range of an index. */
  parts: readonly Condition[];
  /** In each range the calls stand in the order of their ids. */
  isOrdered: boolean;
}

/** Only these are looked up in an index. */
const INDEXED = { id: sql.ref('id'), agentKeyId: sql.ref('agent_key_id'), action: sql.ref('action'), code: sql.ref('code') };
/** No engine takes an index for these: which one is best is known here. */
const READ = { id: sql`(id || '')`, agentKeyId: sql`(agent_key_id || '')`, action: sql`(action || '')`, code: sql`(code || '')` };

type Columns = typeof READ;

/** In the words of the index on them. */
const FAILED: Condition = sql`code <> 'OK'`;
const RUNNING: Condition = sql`code is null`;

export async function listRows(
  db: Kysely<Tables>,
  query: ListQuery,
  plan: Pick<ListPlan, 'knowsSizes'> & Partial<ListPlan>,
): Promise<InvocationRow[]> {
  const { knowsSizes, small, counted } = { ...SIZES, ...plan };
  const filter = withoutImplied(query);
  const sets = indexedSets(filter, knowsSizes);
  if (!sets) return [];
  const { limit, from } = query;
  const columns = knowsSizes ? INDEXED : READ;
  const rest = matching(filter, columns);
  const bounds = within(query, INDEXED);
  const newest = () => rowsOf(db, all([...bounds, ...rest]), limit);
  if (sets.length === 0) return newest();
  if (from !== undefined && (await countUpTo(db, small, [all(bounds)])) < small) return newest();

  const partsOf = ({ parts, isOrdered }: IndexedSet) => parts.map((part) => all([part, ...within(query, isOrdered ? INDEXED : READ)]));
  const least = await smallest(sets, (set) => countUpTo(db, small, partsOf(set)));
  if (least.count < small) return rowsAt(db, partsOf(least.set), { rest, limit, order: READ.id });
  const failed = filter.outcome === 'error' ? await failures(db, knowsSizes) : undefined;
  const ordered = [...sets.filter(({ isOrdered }) => isOrdered), ...(failed ? [failed] : [])];
  if (ordered.length === 0) return newest();
  const { set } = await smallest(ordered, (one) => (ordered.length === 1 ? 0 : countUpTo(db, counted, partsOf(one))));
  // Said twice, it counts twice for an engine that estimates, which then expects too few to read them in order.
  const others = set === failed ? matching({ ...filter, outcome: undefined }, columns) : rest;
  return rowsAt(db, partsOf(set), { rest: others, limit, order: INDEXED.id });
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
function indexedSets(
  { agentKeyIds, actions, toolkits, outcome, visible }: InvocationFilter,
  knowsSizes: boolean,
): IndexedSet[] | undefined {
  const sets: IndexedSet[] = [];
  if (agentKeyIds) sets.push({ parts: agentKeyIds.map(ofKey), isOrdered: true });
  if (actions) sets.push({ parts: actions.map((action) => sql`action = ${action}`), isOrdered: true });
  if (toolkits) sets.push({ parts: toolkits.map((id) => ofToolkit(INDEXED, id)), isOrdered: false });
  if (visible) {
    const parts = [...visible.agentKeyIds.map(ofKey), ...visible.toolkits.map((id) => ofToolkit(INDEXED, id))];
    sets.push({ parts, isOrdered: visible.toolkits.length === 0 });
  }
  if (outcome === 'running') sets.push({ parts: [RUNNING], isOrdered: false });
  else if (outcome === 'error') sets.push({ parts: [FAILED], isOrdered: false });
  else if (outcome !== undefined && !isGood(outcome)) sets.push({ parts: [failedWith(outcome, knowsSizes)], isOrdered: true });
  return sets.some(({ parts }) => parts.length === 0) ? undefined : sets;
}

function ofKey(id: string): Condition {
  return sql`agent_key_id = ${id}`;
}

/** SQLite uses the index on failures only where their condition stands; PostgreSQL sees by itself that it holds. */
function failedWith(code: string, knowsSizes: boolean): Condition {
  const ofCode = sql<SqlBool>`code = ${code}`;
  return knowsSizes ? ofCode : all([FAILED, ofCode]);
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

function ofToolkits(columns: Columns, ids: readonly string[]): Condition {
  if (ids.length === 0) return sql`1 = 0`;
  const ranges = ids.map((id) => sql`(${ofToolkit(columns, id)})`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function ofToolkit({ action }: Columns, id: string): Condition {
  const { from, to } = actionRange(id);
  return sql`${action} >= ${from} and ${action} < ${to}`;
}

function among(column: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

async function smallest(sets: readonly IndexedSet[], count: (set: IndexedSet) => number | Promise<number>) {
  const counted = await Promise.all(sets.map(async (set) => ({ set, count: await count(set) })));
  return counted.reduce((best, one) => (one.count < best.count ? one : best));
}

/** Of each part. */
async function countUpTo(db: Kysely<Tables>, bound: number, parts: readonly Condition[]): Promise<number> {
  let sum = 0;
  for (const some of inStatements(parts)) {
    const counts = some.map(
      (part) => sql`select count(*) as calls from (select 1 from invocations where ${part} limit ${sql.lit(bound)}) as part`,
    );
    const { rows } = await sql<{ calls: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
    for (const { calls } of rows) sum += Number(calls);
  }
  return sum;
}

/** Failures by each code that there is. */
async function failures(db: Kysely<Tables>, knowsSizes: boolean): Promise<IndexedSet> {
  const first = (more: RawBuilder<unknown>) => sql`select code from invocations where ${FAILED} ${more} order by code limit 1`;
  const codes = sql<{ code: string }>`
    with recursive codes (code) as (
      select (${first(sql``)})
      union all
      select (${first(sql`and code > codes.code`)}) from codes where codes.code is not null
    )
    select code from codes where code is not null`;
  return { parts: (await codes.execute(db)).rows.map(({ code }) => failedWith(code, knowsSizes)), isOrdered: true };
}

interface Reading {
  /** What else must hold. */
  rest: readonly Condition[];
  limit: number;
  /** By which column the engine finds the newest of a part: the order of its index, or one that it makes. */
  order: RawBuilder<unknown>;
}

async function rowsAt(db: Kysely<Tables>, parts: readonly Condition[], { rest, limit, order }: Reading): Promise<InvocationRow[]> {
  const rows = new Map<string, InvocationRow>();
  for (const some of inStatements(parts)) {
    const newest = some.map(
      (part) =>
        sql`select id from (select id from invocations where ${all([part, ...rest])} order by ${order} desc limit ${limit}) as part`,
    );
    for (const row of await rowsOf(db, sql`id in (${sql.join(newest, sql` union all `)})`, limit)) rows.set(row.id, row);
  }
  return [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
}

function inStatements(parts: readonly Condition[]): (readonly Condition[])[] {
  const count = Math.ceil(parts.length / PARTS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => parts.slice(index * PARTS_PER_STATEMENT, (index + 1) * PARTS_PER_STATEMENT));
}

async function rowsOf(db: Kysely<Tables>, condition: Condition, limit: number): Promise<InvocationRow[]> {
  return db.selectFrom('invocations').selectAll().where(condition).orderBy('id', 'desc').limit(limit).execute();
}
