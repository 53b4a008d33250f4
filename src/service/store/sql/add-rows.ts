/**
 * Adds many rows to sums by their key, in one statement and with one parameter: a query builder takes longer for a row than the database does.
 *
 * Shape: the parameter is a JSON object of arrays, for `json_each` of SQLite and of PostgreSQL alike, which reads them in their order.
 */
import { type Compilable, type Kysely, sql } from 'kysely';
import type { Tables } from './tables';

type Value = string | number;

export interface Sums<Column extends string> {
  table: keyof Tables;
  /** With their types. The index on them is unique. */
  key: readonly (readonly [column: Column, type: 'text' | 'bigint'])[];
  sums: readonly Column[];
}

/** @param rows no two of the same key */
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
