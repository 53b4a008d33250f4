/**
 * What was promised to callers before SQLite has it: an append-only file. One write system call for all entries of an event-loop turn is a
 * twentieth of a transaction's cost, and as durable: the entries survive the death of the process, not always a loss of power.
 *
 * Shape:  entry = one line of JSON; an `end` with a body is followed by the body's bytes and a line feed. A torn last entry was never promised.
 * Errors: `append` rejects with the system's error, and then nothing of its turn is in the file.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { SvcError } from '../../../protocol/errors';
import type { InvocationOutcome, InvocationStart } from '../store';

export type JournalEntry =
  | { op: 'start'; call: InvocationStart }
  | { op: 'end'; id: string; outcome: InvocationOutcome }
  | { op: 'refused'; call: InvocationStart; outcome: InvocationOutcome };

const LINE_FEED = 0x0a;
/** The file holds results of calls: for its owner's eyes. */
const MODE = 0o600;

export class Journal {
  readonly #path: string;
  #file: number;
  #bytes = 0;
  #waiting = '';
  #turn: Promise<void> | undefined;

  /** Begins a new file; `readJournal` comes first. */
  constructor(path: string) {
    this.#path = path;
    // Whoever still reads the old one (a backup) reads it to its end.
    rmSync(path, { force: true });
    this.#file = openSync(path, 'w', MODE);
  }

  /** Resolves when the entry is in the file: at the end of this event-loop turn. */
  append(entry: JournalEntry): Promise<void> {
    this.#waiting += encode(entry);
    this.#turn ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#turn = undefined;
        try {
          this.#writeWaiting();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#turn;
  }

  /** Leaves nothing but these entries: SQLite has the rest, also of what waits for the end of the turn. Atomic, by a rename. */
  restart(entries: Iterable<JournalEntry>): void {
    const next = `${this.#path}.next`;
    const file = openSync(next, 'w', MODE);
    try {
      const bytes = write(file, Array.from(entries, encode).join(''));
      renameSync(next, this.#path);
      this.#bytes = bytes;
    } catch (error) {
      closeSync(file);
      throw error;
    }
    closeSync(this.#file);
    this.#file = file;
    this.#waiting = '';
  }

  /** Writes what waits for the end of the turn: afterwards the file's number may be another file's. */
  close(): void {
    try {
      this.#writeWaiting();
    } finally {
      closeSync(this.#file);
    }
  }

  #writeWaiting(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text === '') return;
    try {
      this.#bytes += write(this.#file, text, this.#bytes);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }
}

/** What a former process left behind, oldest first. */
export function readJournal(path: string): JournalEntry[] {
  return existsSync(path) ? parseJournal(readFileSync(path), path) : [];
}

/** @param path for messages */
export function parseJournal(bytes: Buffer, path: string): JournalEntry[] {
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

/** All of it, or an error: a full disk can take a part. */
function write(file: number, text: string, position = 0): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}

function encode(entry: JournalEntry): string {
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
