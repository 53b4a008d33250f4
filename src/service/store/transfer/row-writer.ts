import { CompiledQuery, type Kysely, sql } from 'kysely';
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
  #text = '';
  #statementRows = 0;

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
    try {
      await this.#db.executeQuery(CompiledQuery.raw(this.#statement(rows.length), rows.flat()));
    } catch (error) {
      if (SvcError.is(error)) throw error;
      const message = `Rows of ${this.table.name} cannot be written: ${(error as Error).message}. Take the file as svc-sdk export wrote it, or export again`;
      throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
    }
  }

  /** Nearly all have as many rows as the one before: made once, they take half of the time. */
  #statement(rows: number): string {
    if (rows === this.#statementRows) return this.#text;
    const { name, columns } = this.table;
    const into = sql.join(columns.map((column) => sql.ref(column.name)));
    const row = sql`(${sql.join(columns.map(() => null))})`;
    const all = sql`insert into ${sql.table(name)} (${into}) values ${sql.join(Array.from({ length: rows }, () => row))}`;
    this.#statementRows = rows;
    this.#text = all.compile(this.#db).sql;
    return this.#text;
  }
}
