/** Exports all rows of the tables in the order of their keys, with bounded memory on any engine. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { ALERT_TARGETS, APPROVAL_WEBHOOK, AUTH_SECRET, KEPT_TEXT_SECRET, TOKEN_SECRET } from '../console-store';
import type { Tables } from '../sql/tables';
import { type EndLine, encodeValue, headLine, type Row, type RowCounts, TABLES, type TableLayout, tableLine } from './format';
import type { Source } from './source';

/** Length of a piece in characters. */
const PIECE = 64 * 1024;

/**
 * The bytes of an export, in pieces; `format.ts` describes them.
 *
 * @param counts receives the number of rows of each table
 */
export async function* exportLines(source: Source, counts: RowCounts): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let lines = line(headLine());
  for (const table of TABLES) {
    lines += line(tableLine(table));
    for await (const row of rowsOf(source, table)) {
      lines += line(table.columns.map(({ name }) => encodeValue(row[name])));
      counts[table.name]++;
      if (lines.length < PIECE) continue;
      const piece = Buffer.from(lines);
      lines = '';
      hash.update(piece);
      yield piece;
    }
  }
  const end: EndLine = { end: true, rows: counts, sha256: hash.update(lines).digest('hex') };
  yield Buffer.from(lines + line(end));
}

function rowsOf(source: Source, table: TableLayout): AsyncGenerator<Row> {
  const rows = readRows(source.db, table);
  if (table.name === 'settings') return withoutSecrets(rows);
  if (table.name === 'invocations') return withNewer(rows, source.newerInvocations, 'id', (_, newer) => newer);
  return table.name === 'ledger' ? withNewer(rows, source.newerLedger, 'invocation_id', laterEntry) : rows;
}

const SECRETS: ReadonlySet<unknown> = new Set([ALERT_TARGETS, APPROVAL_WEBHOOK, AUTH_SECRET, TOKEN_SECRET, KEPT_TEXT_SECRET]);

/** Leaves the secrets out: the target makes new ones. */
async function* withoutSecrets(rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
  for await (const row of rows) if (!SECRETS.has(row.name)) yield row;
}

/**
 * Merges two sequences that are sorted by id. Ids are ASCII.
 *
 * @param choose returns the one of two rows with the same id
 */
async function* withNewer(
  rows: AsyncGenerator<Row>,
  newer: readonly Row[],
  id: string,
  choose: (row: Row, newer: Row) => Row,
): AsyncGenerator<Row> {
  let next = 0;
  const nextId = () => String(newer[next]?.[id]);
  for await (const row of rows) {
    const rowId = String(row[id]);
    for (; next < newer.length && nextId() < rowId; next++) yield newer[next] as Row;
    if (next < newer.length && nextId() === rowId) yield choose(row, newer[next++] as Row);
    else yield row;
  }
  yield* newer.slice(next);
}

/** An entry is booked once. Only the table knows what was released after a day, or settled. */
function laterEntry(row: Row, newer: Row): Row {
  return row.charged === null ? newer : row;
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Limited because each row may contain a result of 1 MB. */
const ROWS_PER_PAGE = 50;

/** @param db reads a snapshot, and sorts texts by their bytes */
async function* readRows(db: Kysely<Tables>, { name, key, columns }: TableLayout): AsyncGenerator<Row> {
  const selected = sql.join(
    columns.map(({ name: column, kind }) => {
      const value = sql.ref(column);
      return kind === 'amount' || kind === 'amount?' ? sql`cast(${value} as text) as ${value}` : value;
    }),
  );
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
