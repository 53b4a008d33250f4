/**
 * An export: JSON lines in UTF-8, the same bytes for the same data.
 *
 * Shape: {"format":"svc-sdk-export","version":2}
 *        {"table":"toolkits","columns":["id","name",…]}, then each row as a list of values; and so on for every table, also an empty one
 *        {"end":true,"rows":{"toolkits":2,…},"sha256":"…"}: the rows of each table, and the SHA-256 of all bytes before this line
 */
import { type RowCounts, type TableLayout, type ValueKind, VERSION } from './table-layouts';

export const FORMAT = 'svc-sdk-export';

export interface HeadLine {
  format: typeof FORMAT;
  version: number;
}

export interface TableLine {
  table: string;
  columns: readonly string[];
}

export interface EndLine {
  end: true;
  rows: RowCounts;
  sha256: string;
}

export function headLine(): HeadLine {
  return { format: FORMAT, version: VERSION };
}

export function tableLine({ name, columns }: TableLayout): TableLine {
  return { table: name, columns: columns.map((column) => column.name) };
}

export function encodeValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') : value;
}

export type Value = string | number | Uint8Array | null;

/** Undefined for what is not of this kind. */
export function decodeValue(value: unknown, kind: ValueKind): Value | undefined {
  switch (kind) {
    case 'text?':
    case 'number?':
      return value === null ? null : decodeValue(value, kind === 'text?' ? 'text' : 'number');
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'bytes':
      return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  }
}
