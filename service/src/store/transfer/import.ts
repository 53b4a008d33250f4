/**
 * Reads an export into empty data; `format.ts` describes its lines.
 *
 * Errors: INVALID_REQUEST, with the line, for a file that is not an export, is incomplete or damaged, or comes from a newer program, and for
 *         data that are not empty. The caller must roll back.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { SvcError } from '#sdk/protocol/errors';
import { isObject } from '#sdk/protocol/json-object';
import { deriveSums } from '../sql/counts';
import { deriveToolkits } from '../sql/invocations';
import { deriveSessionSums } from '../sql/session-sums';
import type { Tables } from '../sql/tables';
import {
  decodeValue,
  FORMAT,
  type HeadLine,
  noRows,
  type RowCounts,
  TABLES,
  type TableLayout,
  tableLine,
  tablesOf,
  type Value,
  VERSION,
} from './format';
import type { Target } from './target';

/** Writes all rows without committing them. Resolves with the number of rows. */
export async function importLines(target: Target, pieces: AsyncIterable<Uint8Array>): Promise<RowCounts> {
  await requireEmpty(target);
  const reader = new ImportReader(target.db);
  for await (const line of linesOf(pieces)) await reader.take(line);
  const counts = reader.counts();
  await deriveSums(target.db);
  await deriveToolkits(target.db);
  if (!reader.hasTable('session_sums')) await deriveSessionSums(target.db);
  return counts;
}

/** Tables that every new service fills: secrets and the link for the first owner. An import may replace them. */
const OF_ANY_SERVICE: readonly (keyof Tables)[] = ['evidence_secret', 'settings', 'invitations'];

async function requireEmpty({ db, hasMore, name }: Target): Promise<void> {
  let isEmpty = !hasMore;
  for (const table of TABLES.filter((one) => !OF_ANY_SERVICE.includes(one.name))) {
    const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(db);
    if (rows.length > 0) isEmpty = false;
  }
  if (!isEmpty) throw new SvcError('INVALID_REQUEST', `${name} already holds data: an export can only be imported into new data`);
  for (const table of OF_ANY_SERVICE) await db.deleteFrom(table).execute();
}

class ImportReader {
  readonly #db: Kysely<Tables>;
  readonly #hash = createHash('sha256');
  #counts: Partial<RowCounts> = {};
  #layouts: readonly TableLayout[] = [];
  #line = 0;
  #tables = 0;
  #writer: RowWriter | undefined;
  #hasEnded = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async take(line: Buffer): Promise<void> {
    this.#line++;
    if (this.#line === 1) this.#takeHead(line);
    else if (this.#hasEnded) throw this.#damaged('it comes after the end');
    else await this.#takeValue(this.#parse(line), line.length);
    this.#hash.update(line).update('\n');
  }

  /** Whether exports of this version have the table. */
  hasTable(name: TableLayout['name']): boolean {
    return this.#layouts.some((table) => table.name === name);
  }

  counts(): RowCounts {
    if (this.#hasEnded) return { ...noRows(), ...this.#counts };
    throw new SvcError(
      'INVALID_REQUEST',
      `The export is incomplete: it breaks off after line ${this.#line}. Use the whole file, or export again`,
    );
  }

  #takeHead(line: Buffer): void {
    this.#layouts = tablesOf(requireHead(line));
    this.#counts = Object.fromEntries(this.#layouts.map(({ name }) => [name, 0]));
  }

  #parse(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString());
    } catch {
      throw this.#damaged('it is not JSON');
    }
  }

  async #takeValue(value: unknown, bytes: number): Promise<void> {
    if (Array.isArray(value)) {
      this.#takeRow(value, bytes);
      if (this.#writer?.isFull) await this.#writer.flush();
      return;
    }
    await this.#writer?.flush();
    const table = this.#layouts[this.#tables++];
    if (table === undefined) this.#takeEnd(value);
    else if (isDeepStrictEqual(value, tableLine(table))) this.#writer = new RowWriter(this.#db, table);
    else throw this.#damaged(`the table ${table.name} should begin there`);
  }

  #takeRow(row: readonly unknown[], bytes: number): void {
    const writer = this.#writer;
    const columns = writer?.table.columns ?? [];
    const values = columns.map(({ kind }, index) => decodeValue(row[index], kind));
    if (!writer || row.length !== columns.length || !isWhole(values)) throw this.#damaged('it is not a row of its table');
    writer.add(values, bytes);
    this.#counts[writer.table.name] = (this.#counts[writer.table.name] ?? 0) + 1;
  }

  #takeEnd(value: unknown): void {
    const end = { end: true, rows: this.#counts, sha256: this.#hash.copy().digest('hex') };
    if (!isDeepStrictEqual(value, end)) throw this.#damaged('the lines before it are not the exported ones');
    this.#hasEnded = true;
  }

  #damaged(why: string): SvcError {
    return new SvcError(
      'INVALID_REQUEST',
      `The export is damaged at line ${this.#line}: ${why}. Use the file as it was exported, or export again`,
    );
  }
}

function isWhole(values: readonly (Value | undefined)[]): values is Value[] {
  return !values.includes(undefined);
}

/** The version of the export. */
function requireHead(line: Buffer): number {
  const { format, version } = readHead(line);
  if (format !== FORMAT || typeof version !== 'number')
    throw new SvcError('INVALID_REQUEST', 'This is not an export of svc-sdk; create one with: svc-service export <file>');
  if (version > VERSION)
    throw new SvcError(
      'INVALID_REQUEST',
      `The export has format ${version}, this svc-service knows only up to ${VERSION}: import it with the newer svc-service that wrote it`,
    );
  return version;
}

function readHead(line: Buffer): Partial<Record<keyof HeadLine, unknown>> {
  try {
    const head: unknown = JSON.parse(line.toString());
    return isObject(head) ? head : {};
  } catch {
    return {};
  }
}

const LINE_FEED = 0x0a;
/** Limit in bytes. A line is a row, whose longest value is a result: 1 MB by default. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Lines without their line feeds. The last line may lack one. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
      yield Buffer.concat([...begun, bytes.subarray(at, end)]);
      begun = [];
      begunBytes = 0;
      at = end + 1;
    }
    begun.push(bytes.subarray(at));
    begunBytes += bytes.length - at;
    if (begunBytes > LONGEST_LINE)
      throw new SvcError('INVALID_REQUEST', `There is a line of more than ${LONGEST_LINE} bytes: this is not an export of svc-sdk`);
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}

/** SQLite allows 32,766 parameters in one statement. No row has more than 20. */
const ROWS_PER_STATEMENT = 250;
const BYTES_PER_STATEMENT = 1024 * 1024;

/** Adds rows to one table, many per statement. */
class RowWriter {
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
    this.#rows.push(this.#withDerived(row));
    this.#bytes += bytes;
  }

  /** Rejects with INVALID_REQUEST when the database rejects a row. */
  async flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#bytes = 0;
    try {
      await this.#db.executeQuery(CompiledQuery.raw(this.#statement(rows.length), rows.flat()));
    } catch (error) {
      if (SvcError.is(error)) throw error;
      const message = `Rows of ${this.table.name} cannot be written: ${(error as Error).message}. Use the file as it was exported, or export again`;
      throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
    }
  }

  #withDerived(values: readonly Value[]): readonly Value[] {
    const { columns, derived } = this.table;
    if (derived.length === 0) return values;
    const row = Object.fromEntries(columns.map(({ name }, index) => [name, values[index]]));
    return [...values, ...derived.map(({ compute }) => compute(row))];
  }

  /** Caches the statement, which halves the time: nearly all have the same number of rows. */
  #statement(rows: number): string {
    if (rows === this.#statementRows) return this.#text;
    const { name, columns, derived } = this.table;
    const filled = [...columns, ...derived];
    const into = sql.join(filled.map((column) => sql.ref(column.name)));
    const row = sql`(${sql.join(filled.map(() => null))})`;
    const all = sql`insert into ${sql.table(name)} (${into}) values ${sql.join(Array.from({ length: rows }, () => row))}`;
    this.#statementRows = rows;
    this.#text = all.compile(this.#db).sql;
    return this.#text;
  }
}
