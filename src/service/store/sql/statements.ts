/** Parts that statements on several tables share. */
import { type Compilable, type Kysely, sql } from 'kysely';
import { ACTION_ID_SEPARATOR } from '../../../protocol/ids';
import type { Tables } from './tables';

/** SQLite takes 32,766 parameters in one statement, PostgreSQL 65,535; no row needs more than 10. */
const ROWS_PER_STATEMENT = 1_000;

export function inPieces<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => items.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT));
}

/** The actions of a toolkit are a range of action ids: from `from` on, and before `to`. */
export function actionRange(toolkitId: string): { from: string; to: string } {
  // The character after the last one of the separator ends the range.
  return { from: toolkitId + ACTION_ID_SEPARATOR, to: `${toolkitId}_\`` };
}

/** The toolkit that an action id names; '' for a text that is not an action id. As in migration 9. */
export function toolkitOf(action: string): string {
  return action.slice(0, Math.max(0, action.indexOf(ACTION_ID_SEPARATOR)));
}

/** Milliseconds since the epoch in base 36: nine digits until the year 5188, so that texts sort as times. */
const TIME_DIGITS = 9;

/** What ids of calls that begin at this time begin with, in milliseconds since the epoch: no id of that time or later comes before it. */
export function firstIdAt(time: number): string {
  return `inv_${Math.max(0, Math.floor(time)).toString(36).padStart(TIME_DIGITS, '0')}`;
}

type Value = string | number;

export interface Sums<Column extends string> {
  table: keyof Tables;
  /** With their types. The index on them is unique. */
  key: readonly (readonly [column: Column, type: 'text' | 'bigint'])[];
  sums: readonly Column[];
}

/**
 * Adds many rows to sums by their key, in one statement and with one parameter: a query builder takes longer for a row than the database does.
 *
 * Shape: the parameter is a JSON object of arrays, for `json_each` of SQLite and of PostgreSQL alike, which reads them in their order.
 *
 * @param rows no two of the same key
 */
export function addRows<Column extends string>(
  db: Kysely<Tables>,
  { table, key, sums }: Sums<Column>,
  rows: readonly Readonly<Record<Column, Value>>[],
): Compilable {
  const keys = key.map(([column]) => column);
  const columns = [...keys, ...sums];
  const types = [...key.map(([, type]) => type), ...sums.map(() => 'bigint')];
  const values = types.map((type, place) => sql`cast(value ->> ${sql.lit(place)} as ${sql.raw(type)})`);
  const added = sums.map((sum) => sql`${sql.ref(sum)} = ${sql.ref(`${table}.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`);
  const json = JSON.stringify({ ...rows.map((row) => columns.map((column) => row[column])) });
  const query = sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(values)} from json_each(${json}) where true
    on conflict (${sql.join(keys.map((column) => sql.ref(column)))}) do update set ${sql.join(added)}`;
  return { compile: () => query.compile(db) };
}
