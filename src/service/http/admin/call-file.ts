/**
 * Calls as lines of a file.
 *
 * Shape:  CSV by RFC 4180 with a head, or one JSON object a line, as the list of calls has them.
 * Safety: names and ids are what others wrote. A spreadsheet takes a value for a formula when it begins with `=`, `+`, `-` or `@`: in CSV such a
 *         value has an apostrophe before it.
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

/** In the order of the columns. */
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
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
