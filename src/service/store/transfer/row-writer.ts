import { type Kysely, sql } from 'kysely';
import { SvcError } from '../../../protocol/errors';
import type { Tables } from '../sql/tables';
import type { Value } from './format';
import type { TableLayout } from './table-layouts';

/** SQLite takes 32,766 parameters in one statement; no row has more than 10. */
const ROWS_PER_STATEMENT = 250;
const BYTES_PER_STATEMENT = 1024 * 1024;

/** Adds rows to one table, many with one statement. */
export class RowWriter {
  readonly #db: Kysely<Tables>;
  readonly table: TableLayout;
  #rows: (readonly Value[])[] = [];
  #bytes = 0;

  constructor(db: Kysely<Tables>, table: TableLayout) {
    this.#db = db;
    this.table = table;
  }

  get isFull(): boolean {
    return this.#rows.length >= ROWS_PER_STATEMENT || this.#bytes >= BYTES_PER_STATEMENT;
  }

  add(row: readonly Value[], bytes: number): void {
    this.#rows.push(row);
    this.#bytes += bytes;
  }

  /** Rejects with INVALID_REQUEST when the database does not take them. */
  async flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#bytes = 0;
    const { name, columns } = this.table;
    const into = sql.join(columns.map((column) => sql.ref(column.name)));
    const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
    try {
      await sql`insert into ${sql.table(name)} (${into}) values ${values}`.execute(this.#db);
    } catch (error) {
      if (SvcError.is(error)) throw error;
      throw new SvcError('INVALID_REQUEST', `Rows of ${name} cannot be written: ${(error as Error).message}`, {}, { cause: error });
    }
  }
}
