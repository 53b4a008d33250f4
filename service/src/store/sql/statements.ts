/** Parts of statements that several tables share. */
import { type Compilable, type Kysely, sql } from 'kysely';
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import type { Tables } from './tables';

/** SQLite allows 32,766 parameters in one statement, PostgreSQL 65,535. No row needs more than 10. */
const ROWS_PER_STATEMENT = 1_000;

export function inPieces<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => items.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT));
}

/** The actions of a toolkit are the action ids from `from` on and before `to`. */
export function actionRange(toolkitId: string): { from: string; to: string } {
  // The range ends at the character that follows the last one of the separator.
  return { from: toolkitId + ACTION_ID_SEPARATOR, to: `${toolkitId}_\`` };
}

/** The toolkit id in an action id; '' for a text that is not an action id. The same rule as in migration 9. */
export function toolkitOf(action: string): string {
  return action.slice(0, Math.max(0, action.indexOf(ACTION_ID_SEPARATOR)));
}

/** Milliseconds since the epoch in base 36 have nine digits until the year 5188, so that the texts sort by time. */
const TIME_DIGITS = 9;

/** Lower bound of the ids of calls that start at this time (milliseconds since the epoch) or later. */
export function firstIdAt(time: number): string {
  return `inv_${timeDigits(time)}`;
}

/** When the call with this id started, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  const start = firstIdAt(0).length - TIME_DIGITS;
  return Number.parseInt(id.slice(start, start + TIME_DIGITS), 36);
}

/** The part of an id that sorts by time. */
export function timeDigits(time: number): string {
  return Math.max(0, Math.floor(time)).toString(36).padStart(TIME_DIGITS, '0');
}

type Value = string | number;

export interface Sums<Column extends string> {
  table: keyof Tables;
  /** The columns of a unique index, with their types. */
  key: readonly (readonly [column: Column, type: 'text' | 'bigint'])[];
  sums: readonly Column[];
}

/**
 * Adds many rows to the sums of their keys, with one statement and one parameter: a query builder takes longer for a row than the database.
 *
 * Shape: the parameter is a JSON object of arrays, because `json_each` of SQLite and of PostgreSQL both read it in order.
 *
 * @param rows without duplicate keys
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
