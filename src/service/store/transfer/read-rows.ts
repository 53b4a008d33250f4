/** All rows of a table in the order of its key, with bounded memory on any engine. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/tables';
import type { Row, TableLayout } from './table-layouts';

/** Each may bring a result of 1 MB. */
const ROWS_PER_PAGE = 50;

export interface Snapshot {
  /** Sees one moment of the data. */
  db: Kysely<Tables>;
  /** The engine's name for the order of texts by their bytes. */
  collation: 'BINARY' | 'C';
}

export async function* readRows({ db, collation }: Snapshot, { name, key, columns }: TableLayout): AsyncGenerator<Row> {
  const isText = (column: string) => columns.some(({ name: other, kind }) => other === column && kind === 'text');
  const inOrder = sql.join(key.map((column) => (isText(column) ? sql`${sql.ref(column)} collate ${sql.id(collation)}` : sql.ref(column))));
  const selected = sql.join(columns.map((column) => sql.ref(column.name)));
  for (let after = sql``; ; ) {
    const page = sql<Row>`select ${selected} from ${sql.table(name)} ${after} order by ${inOrder} limit ${sql.lit(ROWS_PER_PAGE)}`;
    const { rows } = await page.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = sql`where (${inOrder}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}
