/**
 * Formats calls as lines of a CSV or JSON Lines file.
 *
 * Shape:  CSV (RFC 4180) with a header line, or one JSON object per line, as in the list of calls.
 * Safety: other people choose names and ids. A spreadsheet runs a value that begins with `=`, `+`, `-` or `@` (in any width, after spaces) as a
 *         formula, so CSV values like that get an apostrophe in front. Some split at semicolons and tabs too, so values with these are quoted.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
import type { InvocationInfo } from '../../../protocol/admin';
import { parseActionId } from '../../../protocol/ids';

export interface CallFile {
  contentType: string;
  head: string;
  line(call: InvocationInfo): string;
}

const COLUMNS = ['id', 'startedAt', 'toolkit', 'action', 'keyId', 'keyName', 'outcome', 'ms', 'standsFor'] as const;

export const CALL_FILES: Record<'csv' | 'jsonl', CallFile> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: `${COLUMNS.join(',')}\r\n`,
    line: (call) => `${valuesOf(call).map(quoted).join(',')}\r\n`,
  },
  jsonl: { contentType: 'application/jsonl; charset=utf-8', head: '', line: (call) => `${JSON.stringify(call)}\n` },
};

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Returns the values in the order of `COLUMNS`. */
function valuesOf({ id, startedAt, action, key, code, ms, standsFor }: InvocationInfo): (string | number)[] {
  return [
    id,
    startedAt,
    parseActionId(action)?.toolkitId ?? '',
    action,
    key.id,
    key.name ?? '',
    code ?? 'running',
    ms ?? '',
    standsFor ?? '',
  ];
}

function quoted(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
