/**
 * The entries of a journal.
 *
 * Shape: an entry is one line of JSON; after an `end` with a body come the bytes of the body and a line feed. A torn last entry was never
 *        acknowledged, so it is ignored.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SvcError } from '#sdk/protocol/errors';
import type { CallWrite } from '../../call-engine';
import type { InvocationOutcome, InvocationRecord, InvocationStart } from '../../store';

export type JournalEntry =
  | { op: 'start'; call: InvocationStart }
  | { op: 'end'; id: string; outcome: InvocationOutcome }
  | { op: 'refused'; call: InvocationStart; outcome: InvocationOutcome };

const LINE_FEED = 0x0a;
/** Characters that JSON does not escape. Ids and hashes have no others. */
const PLAIN = /^[\w.:-]+$/;

/** The entries that an earlier process left, oldest first. */
export function readJournal(path: string): JournalEntry[] {
  return existsSync(path) ? parseJournal(readFileSync(path), path) : [];
}

/** @param path only for error messages */
export function parseJournal(bytes: Buffer, path: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    // A file can end in zeros after a power loss.
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

/**
 * The final state of the calls in the entries.
 *
 * @param savedCall reads the call with this id from the table
 */
export function replayJournal(
  entries: readonly JournalEntry[],
  savedCall: (id: string) => InvocationRecord | undefined,
): InvocationRecord[] {
  const calls = new Map<string, InvocationRecord>();
  for (const entry of entries) {
    if (entry.op === 'end') {
      const started = calls.get(entry.id) ?? savedCall(entry.id);
      // Only a damaged journal ends a call that it never started.
      if (started) calls.set(entry.id, { ...started, outcome: entry.outcome });
    } else if (entry.op === 'start') calls.set(entry.call.id, { ...entry.call, node: '', outcome: null });
    else calls.set(entry.call.id, { ...entry.call, idempotencyKey: null, node: '', outcome: { ...entry.outcome, body: null } });
  }
  return [...calls.values()];
}

export function encodeWrite(write: CallWrite): string {
  switch (write.op) {
    case 'start':
      return encodeStart(write.call);
    case 'end':
      return encodeEnd(write.id, write.outcome);
    case 'refused':
      return encodeCall(write.record);
  }
}

/** Entries that reproduce this call. */
export function encodeCall(call: InvocationRecord): string {
  const { id, agentKeyId, requestHash, action, startedAt, idempotencyKey, outcome } = call;
  if (!outcome) return encodeStart(call);
  if (idempotencyKey !== null) return encodeStart(call) + encodeEnd(id, outcome);
  const refused = ['refused', id, agentKeyId, null, requestHash, action, startedAt, outcome.code, outcome.endedAt, ...lastFields(call)];
  return `${JSON.stringify(refused)}\n`;
}

function encodeStart(call: InvocationStart): string {
  const { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, hold, madeBy } = call;
  const isBare = hold === undefined && madeBy === undefined;
  // Nearly all calls: half a microsecond less than JSON.stringify.
  if (isBare && idempotencyKey !== null && PLAIN.test(idempotencyKey) && PLAIN.test(action))
    return `["start","${id}","${agentKeyId}","${idempotencyKey}","${requestHash}","${action}",${startedAt}]\n`;
  return `${JSON.stringify(['start', id, agentKeyId, idempotencyKey, requestHash, action, startedAt, ...lastFields(call)])}\n`;
}

type LastFields = [amount?: string | null, currency?: string | null, madeBy?: string | null, origin?: 'console'];

/** The fields that few calls have. JSON has no bigint. */
function lastFields({ hold, madeBy, origin }: InvocationStart): LastFields {
  const money = [hold?.amount.toString() ?? null, hold?.currency ?? null] as const;
  if (origin !== undefined) return [...money, madeBy ?? null, origin];
  if (madeBy !== undefined) return [...money, madeBy];
  return hold ? [hold.amount.toString(), hold.currency] : [];
}

type EndFields = [charged?: string | null, toolkitCode?: string | null, took?: number | null];

/** The fields that few calls have come last; trailing ones without a value are left out. */
function endFields({ charged, toolkitCode, took }: InvocationOutcome): EndFields {
  if (took !== undefined) return [charged?.toString() ?? null, toolkitCode ?? null, took];
  if (toolkitCode !== undefined) return [charged?.toString() ?? null, toolkitCode];
  return charged === undefined ? [] : [charged.toString()];
}

function withEnd(outcome: InvocationOutcome, [charged = null, toolkitCode = null, took = null]: EndFields): InvocationOutcome {
  if (charged !== null) outcome.charged = BigInt(charged);
  if (toolkitCode !== null) outcome.toolkitCode = toolkitCode;
  if (took !== null) outcome.took = took;
  return outcome;
}

function encodeEnd(id: string, outcome: InvocationOutcome): string {
  const { code, body, endedAt } = outcome;
  if (body === null) return `${JSON.stringify(['end', id, code, endedAt, null, ...endFields(outcome)])}\n`;
  return `${JSON.stringify(['end', id, code, endedAt, Buffer.byteLength(body), ...endFields(outcome)])}\n${body}\n`;
}

function parseLine(line: string, path: string): unknown[] {
  try {
    return JSON.parse(line);
  } catch (error) {
    const message = `${path} is damaged: move it away to go on without the calls in it`;
    throw new SvcError('INTERNAL', message, { retryable: false }, { cause: error });
  }
}

function decode(op: JournalEntry['op'], fields: unknown[], body: string | null): JournalEntry {
  if (op === 'end') {
    const [id, code, endedAt, , ...more] = fields as [string, string, number, number | null, ...EndFields];
    return { op, id, outcome: withEnd({ code, body, endedAt }, more) };
  }
  type Fields = [string, string, string | null, string, string, number, ...unknown[]];
  const [id, agentKeyId, idempotencyKey, requestHash, action, startedAt, ...more] = fields as Fields;
  const call = { id, agentKeyId, idempotencyKey, requestHash, action, startedAt };
  if (op === 'start') return { op, call: withLast(call, more as LastFields) };
  const [code, endedAt, ...last] = more as [string, number, ...LastFields];
  const refused = withLast(call, last);
  return { op, call: refused, outcome: { code, body: null, endedAt, ...(refused.hold && { charged: 0n }) } };
}

function withLast(call: InvocationStart, [amount = null, currency = null, madeBy = null, origin]: LastFields): InvocationStart {
  const last = { ...call };
  if (amount !== null && currency !== null) last.hold = { amount: BigInt(amount), currency };
  if (madeBy !== null) last.madeBy = madeBy;
  if (origin !== undefined) last.origin = origin;
  return last;
}
