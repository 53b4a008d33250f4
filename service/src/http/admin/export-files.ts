/**
 * Formats a list as lines of a CSV or JSON Lines file.
 *
 * Shape:  CSV (RFC 4180) with a header line, or one JSON object per line.
 * Safety: other people choose names and ids. A spreadsheet runs a value that begins with `=`, `+`, `-` or `@` (in any width, after spaces) as a
 *         formula, so CSV values like that get an apostrophe in front. Some split at semicolons and tabs too, so values with these are quoted.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */

export interface ExportFile<Item> {
  contentType: string;
  head: string;
  line(item: Item): string;
}

type Value = string | number;

/** @param valuesOf returns the values in the order of `columns` */
export function exportFiles<Item>(
  columns: readonly string[],
  valuesOf: (item: Item) => readonly Value[],
): Record<'csv' | 'jsonl', ExportFile<Item>> {
  return {
    csv: {
      contentType: 'text/csv; charset=utf-8',
      head: `${columns.join(',')}\r\n`,
      line: (item) => `${valuesOf(item).map(quoted).join(',')}\r\n`,
    },
    jsonl: { contentType: 'application/jsonl; charset=utf-8', head: '', line: (item) => `${JSON.stringify(item)}\n` },
  };
}

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function quoted(value: Value): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
