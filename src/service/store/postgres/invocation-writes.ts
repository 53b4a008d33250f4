/**
 * All writes of a group as one statement, which is one round trip and one transaction: a prepared one, with an array for each column.
 * Rows are inserted in the order of their unique keys, so that two groups wait for each other, and not in a circle.
 */
import type { PoolClient } from 'pg';
import { SAID_BY_HANDLER } from '../said-by-handler';
import type { InvocationOutcome, InvocationRecord, InvocationStart } from '../store';
import { isConflict } from './database-errors';
import type { GroupedWrite } from './group-commit';

export type InvocationWrite = StartWrite | EndWrite | BookWrite;

/** A call with an idempotency key. */
interface StartWrite extends GroupedWrite {
  op: 'start';
  call: InvocationStart;
  /** False when the key is taken. */
  resolve(started: boolean): void;
}

interface EndWrite extends GroupedWrite {
  op: 'end';
  id: string;
  outcome: InvocationOutcome;
  /** The outcome that stands; undefined when there is no such call. */
  resolve(stands: InvocationOutcome | undefined): void;
}

/** The whole row of a call that holds no idempotency key, running or ended; frees the key of one that was started with it. */
interface BookWrite extends GroupedWrite {
  op: 'book';
  record: InvocationRecord;
  resolve(): void;
}

/** For connections that do nothing else: the planner would read the whole table while it does not know its size yet. */
export const WRITER_SETTINGS = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'jit=off'];

const ATTEMPTS = 3;

const HANDLERS = SAID_BY_HANDLER.map((code) => `'${code}'`).join(', ');

// A refusal frees the key of this node's own claim only: by the time that it is written, another node may have claimed the call under the same id.
const WRITE = `
WITH started AS (
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at, node)
  SELECT id, agent_key_id, idempotency_key, request_hash, action, started_at, $1
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    AS new (id, agent_key_id, idempotency_key, request_hash, action, started_at)
  ORDER BY agent_key_id, idempotency_key
  ON CONFLICT DO NOTHING
  RETURNING id
), ended AS (
  UPDATE invocations AS call
  SET code = new.code, body = CASE WHEN call.idempotency_key IS NOT NULL THEN new.body END, ended_at = new.ended_at
  FROM unnest($8::text[], $9::text[], $10::text[], $11::bigint[]) AS new (id, code, body, ended_at)
  WHERE call.id = new.id AND (new.code IN (${HANDLERS}) OR call.code IS NULL)
  RETURNING call.id, call.idempotency_key IS NOT NULL AS keyed
), booked AS (
  INSERT INTO invocations (id, agent_key_id, request_hash, action, started_at, code, ended_at, node)
  SELECT id, agent_key_id, request_hash, action, started_at, code, ended_at, $1
  FROM unnest($12::text[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::bigint[])
    AS new (id, agent_key_id, request_hash, action, started_at, code, ended_at)
  ORDER BY id
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = NULL, code = excluded.code, body = NULL, ended_at = excluded.ended_at
  WHERE invocations.node = $1 AND excluded.code IS NOT NULL AND (excluded.code <> 'OUTCOME_UNKNOWN' OR invocations.code IS NULL)
)
SELECT id, true AS keyed FROM started UNION ALL SELECT id, keyed FROM ended`;

/** Of calls whose outcome was not replaced, or that are not there. */
const STANDING = 'SELECT id, code, body, ended_at FROM invocations WHERE id = ANY ($1::text[])';

/** Commits the group, then answers each write. */
export async function writeInvocations(client: PoolClient, node: string, group: readonly InvocationWrite[]): Promise<void> {
  const starts: StartWrite[] = [];
  const ends: EndWrite[] = [];
  const books: BookWrite[] = [];
  for (const write of group) {
    if (write.op === 'start') starts.push(write);
    else if (write.op === 'end') ends.push(write);
    else books.push(write);
  }
  const values = [node, ...startColumns(starts), ...endColumns(ends), ...bookColumns(books)];
  const written = await withAttempts(async () => {
    const { rows } = await client.query<[id: string, keyed: boolean]>({ name: 'svc-write', text: WRITE, values, rowMode: 'array' });
    return new Map(rows);
  });
  const replaced = ends.every(({ id }) => written.has(id));
  const standing = replaced ? new Map<string, InvocationOutcome>() : await standingOutcomes(client, ends);
  for (const start of starts) start.resolve(written.has(start.call.id));
  for (const { id, outcome, resolve } of ends) {
    const keyed = written.get(id);
    if (keyed === undefined) resolve(standing.get(id));
    else resolve(keyed ? outcome : { ...outcome, body: null });
  }
  for (const book of books) book.resolve();
}

async function standingOutcomes(client: PoolClient, ends: readonly EndWrite[]): Promise<Map<string, InvocationOutcome>> {
  const values = [ends.map(({ id }) => id)];
  const { rows } = await client.query<{ id: string; code: string; body: string | null; ended_at: number }>({ text: STANDING, values });
  return new Map(rows.map(({ id, code, body, ended_at }) => [id, { code, body, endedAt: ended_at }]));
}

async function withAttempts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function startColumns(starts: readonly StartWrite[]): unknown[] {
  return [
    starts.map(({ call }) => call.id),
    starts.map(({ call }) => call.agentKeyId),
    starts.map(({ call }) => call.idempotencyKey),
    starts.map(({ call }) => call.requestHash),
    starts.map(({ call }) => call.action),
    starts.map(({ call }) => call.startedAt),
  ];
}

function endColumns(ends: readonly EndWrite[]): unknown[] {
  return [
    ends.map(({ id }) => id),
    ends.map(({ outcome }) => outcome.code),
    ends.map(({ outcome }) => outcome.body),
    ends.map(({ outcome }) => outcome.endedAt),
  ];
}

function bookColumns(books: readonly BookWrite[]): unknown[] {
  return [
    books.map(({ record }) => record.id),
    books.map(({ record }) => record.agentKeyId),
    books.map(({ record }) => record.requestHash),
    // Whatever a caller wrote stands here when the call was refused, and PostgreSQL takes all but this.
    books.map(({ record }) => record.action.replaceAll('\0', '\ufffd')),
    books.map(({ record }) => record.startedAt),
    books.map(({ record }) => record.outcome?.code ?? null),
    books.map(({ record }) => record.outcome?.endedAt ?? null),
  ];
}
