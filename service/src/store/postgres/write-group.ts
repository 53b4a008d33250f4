/**
 * Commits a group of writes: one prepared statement with an array for each column, which is one round trip and one transaction. Rows are inserted in
 * the order of their unique keys, which prevents deadlocks between groups.
 */
import type { PoolClient } from 'pg';
import type { SvcError } from '#sdk/protocol/errors';
import { type CallWrite, type EndWrite, SAID_BY_HANDLER, type StartWrite } from '../call-engine';
import { toolkitOf } from '../sql/statements';
import type { InvocationOutcome, InvocationRecord } from '../store';
import { isConflict } from './errors';
import { isPaid, writePaid } from './hold-price';

const NO_REFUSALS: ReadonlyMap<string, SvcError> = new Map();

const ATTEMPTS = 3;

const HANDLERS = SAID_BY_HANDLER.map((code) => `'${code}'`).join(', ');

// The cost of a call is final, and its answer shows it: no outcome replaces that of a booked call.
// A refusal only frees a key that this node claimed: meanwhile another node may have claimed the call under the same id.
const WRITE = `
WITH started AS (
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at, made_by, origin, node)
  SELECT id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at, made_by, origin, $1
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $22::text[], $24::text[])
    AS new (id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at, made_by, origin)
  ORDER BY agent_key_id, idempotency_key
  ON CONFLICT DO NOTHING
  RETURNING id
), ended AS (
  UPDATE invocations AS call
  SET code = new.code, body = CASE WHEN call.idempotency_key IS NOT NULL THEN new.body END, ended_at = new.ended_at,
    toolkit_code = new.toolkit_code, took = new.took
  FROM unnest($9::text[], $10::text[], $11::text[], $12::bigint[], $21::boolean[], $26::text[], $27::bigint[])
    AS new (id, code, body, ended_at, paid, toolkit_code, took)
  WHERE call.id = new.id AND (new.code IN (${HANDLERS}) OR call.code IS NULL)
    AND NOT (new.paid AND call.code IS NOT NULL AND EXISTS (SELECT FROM ledger WHERE invocation_id = call.id AND charged IS NOT NULL))
  RETURNING call.id, call.idempotency_key IS NOT NULL AS keyed
), saved AS (
  INSERT INTO invocations
    (id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at, made_by, origin, toolkit_code, took, node)
  SELECT id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at, made_by, origin, toolkit_code, took, $1
  FROM unnest($13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::bigint[], $19::text[], $20::bigint[], $23::text[],
    $25::text[], $28::text[], $29::bigint[])
    AS new (id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at, made_by, origin, toolkit_code, took)
  ORDER BY id
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = NULL, code = excluded.code, body = NULL, ended_at = excluded.ended_at, toolkit_code = excluded.toolkit_code,
    took = excluded.took
  WHERE invocations.node = $1 AND excluded.code IS NOT NULL AND (excluded.code <> 'OUTCOME_UNKNOWN' OR invocations.code IS NULL)
)
SELECT id, true AS keyed FROM started UNION ALL SELECT id, keyed FROM ended`;

/** Recorded outcomes of the calls that the statement did not change. */
const STANDING = 'SELECT id, code, body, ended_at FROM invocations WHERE id = ANY ($1::text[])';

/** Commits the group, then calls `done` of each write. */
export async function writeGroup(client: PoolClient, node: string, group: readonly CallWrite[]): Promise<void> {
  const starts: StartWrite[] = [];
  const ends: EndWrite[] = [];
  const records: InvocationRecord[] = [];
  for (const write of group) {
    if (write.op === 'start') starts.push(write);
    else if (write.op === 'end') ends.push(write);
    else records.push(write.record);
  }
  const paid = ends.map(({ outcome }) => outcome.charged !== undefined);
  const madeBy = [starts.map(({ call }) => call.madeBy ?? null), records.map((record) => record.madeBy ?? null)];
  const origin = [starts.map(({ call }) => call.origin ?? null), records.map((record) => record.origin ?? null)];
  const outcomes = [ends.map(({ outcome }) => outcome), records.map(({ outcome }) => outcome)].flatMap((of) => [
    of.map((outcome) => outcome?.toolkitCode ?? null),
    of.map((outcome) => outcome?.took ?? null),
  ]);
  const later = [paid, ...madeBy, ...origin, ...outcomes];
  const values = [node, ...startColumns(starts), ...endColumns(ends), ...recordColumns(records), ...later];
  const write = async () => {
    const { rows } = await client.query<[id: string, keyed: boolean]>({ name: 'svc-write', text: WRITE, values, rowMode: 'array' });
    return new Map(rows);
  };
  const { written, refusals } = await withAttempts(async () =>
    isPaid(group) ? writePaid(client, group, write) : { written: await write(), refusals: NO_REFUSALS },
  );
  const replaced = ends.every(({ id }) => written.has(id));
  const standing = replaced ? new Map<string, InvocationOutcome>() : await standingOutcomes(client, ends);
  for (const write of group) {
    if (write.op === 'start') answerStart(write, written, refusals);
    else if (write.op === 'end') write.done(undefined, standsOf(write, written.get(write.id), standing));
    else write.done(undefined);
  }
}

function answerStart({ call, done }: StartWrite, written: ReadonlyMap<string, boolean>, refusals: ReadonlyMap<string, SvcError>): void {
  const refusal = refusals.get(call.id);
  if (refusal) done(refusal);
  else done(undefined, written.has(call.id));
}

function standsOf({ id, outcome }: EndWrite, keyed: boolean | undefined, standing: ReadonlyMap<string, InvocationOutcome>) {
  if (keyed === undefined) return standing.get(id);
  return keyed ? outcome : { ...outcome, body: null };
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
    starts.map(({ call }) => toolkitOf(call.action)),
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

function recordColumns(records: readonly InvocationRecord[]): unknown[] {
  // The action of a refused call is any text that its caller sent. U+0000 is the only character that PostgreSQL rejects.
  const actions = records.map(({ action }) => action.replaceAll('\0', '\ufffd'));
  return [
    records.map(({ id }) => id),
    records.map(({ agentKeyId }) => agentKeyId),
    records.map(({ requestHash }) => requestHash),
    actions,
    actions.map(toolkitOf),
    records.map(({ startedAt }) => startedAt),
    records.map(({ outcome }) => outcome?.code ?? null),
    records.map(({ outcome }) => outcome?.endedAt ?? null),
  ];
}
