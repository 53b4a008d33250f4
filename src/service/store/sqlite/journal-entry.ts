/**
 * What stands in a journal.
 *
 * Shape: entry = one line of JSON; an `end` with a body is followed by the body's bytes and a line feed. A torn last entry was never promised.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SvcError } from '../../../protocol/errors';
import type { InvocationOutcome, InvocationStart } from '../store';

export type JournalEntry =
  | { op: 'start'; call: InvocationStart }
  | { op: 'end'; id: string; outcome: InvocationOutcome }
  | { op: 'refused'; call: InvocationStart; outcome: InvocationOutcome };

const LINE_FEED = 0x0a;

/** What a former process left behind, oldest first. */
export function readJournal(path: string): JournalEntry[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const entries: JournalEntry[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    // After a power cut a file can end in zeros.
    if (end === -1 || bytes[at] === 0) return entries;
    const [op, ...fields] = parseLine(bytes.toString('utf8', at, end), path);
    at = end + 1;
    const bodyBytes = op === 'end' ? (fields[3] as number | null) : null;
    const body = bodyBytes === null ? null : bytes.toString('utf8', at, at + bodyBytes);
    if (bodyBytes !== null) at += bodyBytes + 1;
    if (at > bytes.length) return entries;
    entries.push(decode(op as JournalEntry['op'], fields, body));
  }
}

function parseLine(line: string, path: string): unknown[] {
  try {
    return JSON.parse(line);
  } catch (error) {
    const message = `${path} is damaged: move it away to go on without the calls in it`;
    throw new SvcError('INTERNAL', message, { retryable: false }, { cause: error });
  }
}

export function encode(entry: JournalEntry): string {
  switch (entry.op) {
    case 'start': {
      const { id, agentKeyId, idempotencyKey, requestHash, action, startedAt } = entry.call;
      return `${JSON.stringify(['start', id, agentKeyId, idempotencyKey, requestHash, action, startedAt])}\n`;
    }
    case 'refused': {
      const { id, agentKeyId, requestHash, action, startedAt } = entry.call;
      return `${JSON.stringify(['refused', id, agentKeyId, null, requestHash, action, startedAt, entry.outcome.code, entry.outcome.endedAt])}\n`;
    }
    case 'end': {
      const { code, body, endedAt } = entry.outcome;
      if (body === null) return `${JSON.stringify(['end', entry.id, code, endedAt, null])}\n`;
      return `${JSON.stringify(['end', entry.id, code, endedAt, Buffer.byteLength(body)])}\n${body}\n`;
    }
  }
}

function decode(op: JournalEntry['op'], fields: unknown[], body: string | null): JournalEntry {
  if (op === 'end') {
    const [id, code, endedAt] = fields as [string, string, number];
    return { op, id, outcome: { code, body, endedAt } };
  }
  const [id, agentKeyId, idempotencyKey, requestHash, action, startedAt, code, endedAt] = fields as [
    string,
    string,
    string | null,
    string,
    string,
    number,
    string,
    number,
  ];
  const call = { id, agentKeyId, idempotencyKey, requestHash, action, startedAt };
  return op === 'start' ? { op, call } : { op, call, outcome: { code, body: null, endedAt } };
}
