import { parse } from 'csv-parse/sync';
import { Refusal, reason } from '../shared/refusal.ts';

export function csvToJson({ csv, delimiter = ',' }: { csv: string; delimiter?: string }) {
  const [header, ...records] = readRecords(csv, delimiter);
  if (!header) throw new Refusal('EMPTY', 'There is no row; the first one holds the names of the columns');
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) throw new Refusal('REPEATED_COLUMN', `Two columns are named "${repeated}"; rename one of them`);
  return { columns: header, rows: records.map((record) => Object.fromEntries(header.map((name, index) => [name, record[index]]))) };
}

function readRecords(csv: string, delimiter: string): string[][] {
  try {
    return parse(csv, { bom: true, delimiter, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new Refusal('BAD_CSV', `${reason(error)}. Quote values that hold the delimiter, and double the quotes inside them`);
  }
}

/** RFC 4180: lines end with CRLF, values with a delimiter, a quote or a line break are quoted. */
export function jsonToCsv({ rows, delimiter = ',' }: { rows: Record<string, unknown>[]; delimiter?: string }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (values: unknown[]) => values.map((value) => quote(toText(value), delimiter)).join(delimiter);
  const lines = rows.map((row) => line(columns.map((column) => (Object.hasOwn(row, column) ? row[column] : ''))));
  return { csv: [line(columns), ...lines].join('\r\n'), rows: rows.length };
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function quote(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}
