/**
 * SQL from outside, on a database of its own: it can read everything and change nothing.
 *
 * Errors: NOT_READ_ONLY, ONE_STATEMENT, BAD_SQL.
 * Source: the authorizer sees every access that SQLite compiles, https://sqlite.org/c3ref/set_authorizer.html
 */
import { constants, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { Refusal, reason } from '../shared/refusal.ts';
import { createSampleDatabase } from './sample-data.ts';

const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_OK, SQLITE_DENY } = constants;
const READING: number[] = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];
const SQLITE_AUTH = 23;
const MAX_CELL_CHARS = 2_000;

const database = createSampleDatabase({ length: 1_000_000, sqlLength: 20_000 });
database.setAuthorizer((action) => (READING.includes(action) ? SQLITE_OK : SQLITE_DENY));

export function query({ sql, limit = 50 }: { sql: string; limit?: number }) {
  const statement = compile(sql);
  const rows = readRows(statement, limit + 1);
  const columns = statement.columns().map(({ name }) => name);
  const more = rows.length > limit;
  return { columns, rows: rows.slice(0, limit), ...(more && { more: `Only the first ${limit} rows; use LIMIT and OFFSET, or aggregate` }) };
}

function compile(sql: string): StatementSync {
  const statement = refusing(() => database.prepare(sql));
  const rest = sql.slice(sql.indexOf(statement.sourceSQL) + statement.sourceSQL.length);
  // SQLite compiles the first statement and drops what follows; better to say so than to answer half.
  if (/\S/.test(rest.replace(/--.*$/gm, '')))
    throw new Refusal('ONE_STATEMENT', 'Send one SELECT at a time; there was more after the first ";"');
  return statement;
}

function readRows(statement: StatementSync, count: number): unknown[][] {
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return refusing(() => {
    const rows: unknown[][] = [];
    // A row is an array with setReturnArrays, which the published type of iterate does not know.
    for (const row of statement.iterate() as unknown as Iterable<SQLOutputValue[]>) {
      rows.push(row.map(toCell));
      if (rows.length === count) break;
    }
    return rows;
  });
}

function toCell(value: SQLOutputValue): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  return typeof value === 'string' && value.length > MAX_CELL_CHARS ? `${value.slice(0, MAX_CELL_CHARS)}…` : value;
}

function refusing<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_AUTH) {
      throw new Refusal('NOT_READ_ONLY', 'Only SELECT is possible: this database cannot be changed. For its structure use describe_table');
    }
    throw new Refusal('BAD_SQL', `SQLite says: ${reason(error)}. list_tables and describe_table show what there is`);
  }
}
