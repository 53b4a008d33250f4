/** All rows of a table in the order of its key, with bounded memory on any engine. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/tables';
import type { Row, TableLayout } from './table-layouts';

/** Each may bring a result of 1 MB. */
const ROWS_PER_PAGE = 50;

/** @param db sees one moment of the data, and has texts in the order of their bytes */
export async function* readRows(db: Kysely<Tables>, { name, key, columns }: TableLayout): AsyncGenerator<Row> {
  const selected = sql.join(columns.map((column) => sql.ref(column.name)));
  const place = sql.join(key.map((column) => sql.ref(column)));
  for (let after = sql``; ; ) {
    const page = sql<Row>`select ${selected} from ${sql.table(name)} ${after} order by ${place} limit ${sql.lit(ROWS_PER_PAGE)}`;
    const { rows } = await page.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = sql`where (${place}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}
