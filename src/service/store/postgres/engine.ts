/**
 * Calls in a PostgreSQL database that any number of nodes write.
 *
 * All writes of a group are one prepared statement with an array for each column: one round trip and one transaction. Rows are inserted in the
 * order of their unique keys, which prevents deadlocks between groups.
 */
import type { PoolClient } from 'pg';
import type { SvcError } from '../../../protocol/errors';
import { type CallWrite, type EndWrite, type RefusalWrite, SAID_BY_HANDLER, type SharedEngine, type StartWrite } from '../call-engine';
import type { InvocationDetails } from '../console-store';
import { SELECT_PAID_CALLS, toInvocation } from '../sql/invocations';
import { inPieces, toolkitOf } from '../sql/statements';
import type { PaidInvocationRow } from '../sql/tables';
import type { InvocationOutcome, InvocationRecord } from '../store';
import type { Connections } from './connection';
import { asUnavailable, isConflict } from './errors';
import { TAKING } from './lock';
import { isPaid, writePaid } from './paid-writes';
import { IS_ALIVE, LONG_DEAD, type NodeLife } from './session';

/** Concurrent commits, which PostgreSQL flushes to disk together. */
export const LANES = 2;

/** Planner settings of the connections that write calls. Without statistics the planner would choose to scan the whole table. */
export const WRITER_SETTINGS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
  // A group with paid calls locks budgets over several statements: a node that stops in between must not hold up the others.
  'idle_in_transaction_session_timeout=1000',
];

const BY_KEY = `${SELECT_PAID_CALLS} WHERE invocations.agent_key_id = $1 AND invocations.idempotency_key = $2`;
const BY_ID = `${SELECT_PAID_CALLS} WHERE invocations.id = $1`;
const TAKE = taken('UPDATE invocations SET node = $1 WHERE id = ANY ($2::text[]) AND code IS NULL RETURNING *');
const TAKE_ABANDONED = taken(`
UPDATE invocations SET node = $1
WHERE code IS NULL AND node <> $1 AND node NOT IN (SELECT id FROM nodes WHERE ${IS_ALIVE})
RETURNING *`);

const RELEASE = "UPDATE invocations SET idempotency_key = NULL, body = NULL WHERE id = $1 AND code = 'ACTION_FAILED'";

const SAVE_DETAILS = `
INSERT INTO invocation_details (id, timeline, payload, result)
SELECT id, timeline, payload, result
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new (id, timeline, payload, result)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET timeline = excluded.timeline, payload = excluded.payload, result = excluded.result`;

const NO_REFUSALS: ReadonlyMap<string, SvcError> = new Map();

const ATTEMPTS = 3;

const HANDLERS = SAID_BY_HANDLER.map((code) => `'${code}'`).join(', ');

// The cost of a call is final, and its answer shows it: no outcome replaces that of a booked call.
// A refusal only frees a key that this node claimed: meanwhile another node may have claimed the call under the same id.
const WRITE = `
WITH started AS (
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at, node)
  SELECT id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at, $1
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
    AS new (id, agent_key_id, idempotency_key, request_hash, action, toolkit, started_at)
  ORDER BY agent_key_id, idempotency_key
  ON CONFLICT DO NOTHING
  RETURNING id
), ended AS (
  UPDATE invocations AS call
  SET code = new.code, body = CASE WHEN call.idempotency_key IS NOT NULL THEN new.body END, ended_at = new.ended_at
  FROM unnest($9::text[], $10::text[], $11::text[], $12::bigint[], $21::boolean[]) AS new (id, code, body, ended_at, paid)
  WHERE call.id = new.id AND (new.code IN (${HANDLERS}) OR call.code IS NULL)
    AND NOT (new.paid AND call.code IS NOT NULL AND EXISTS (SELECT FROM ledger WHERE invocation_id = call.id AND charged IS NOT NULL))
  RETURNING call.id, call.idempotency_key IS NOT NULL AS keyed
), saved AS (
  INSERT INTO invocations (id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at, node)
  SELECT id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at, $1
  FROM unnest($13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::bigint[], $19::text[], $20::bigint[])
    AS new (id, agent_key_id, request_hash, action, toolkit, started_at, code, ended_at)
  ORDER BY id
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = NULL, code = excluded.code, body = NULL, ended_at = excluded.ended_at
  WHERE invocations.node = $1 AND excluded.code IS NOT NULL AND (excluded.code <> 'OUTCOME_UNKNOWN' OR invocations.code IS NULL)
)
SELECT id, true AS keyed FROM started UNION ALL SELECT id, keyed FROM ended`;

/** Recorded outcomes of the calls that the statement did not change. */
const STANDING = 'SELECT id, code, body, ended_at FROM invocations WHERE id = ANY ($1::text[])';

export interface PostgresEngineDeps {
  node: string;
  life: NodeLife;
  reads: Connections;
  writes: Connections;
  /** Connections whose commits do not wait for the disk. */
  lazy: Connections;
  onError: (error: unknown) => void;
}

export class PostgresEngine implements SharedEngine {
  readonly isShared = true;
  readonly lanes = LANES;
  readonly #deps: PostgresEngineDeps;

  constructor(deps: PostgresEngineDeps) {
    this.#deps = deps;
  }

  get node(): string {
    return this.#deps.node;
  }

  byKey(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    return this.#read({ name: 'svc-by-key', text: BY_KEY, values: [agentKeyId, idempotencyKey] });
  }

  byId(id: string): Promise<InvocationRecord | undefined> {
    return this.#read({ name: 'svc-by-id', text: BY_ID, values: [id] });
  }

  async release(id: string): Promise<void> {
    await this.#deps.reads.rows({ text: RELEASE, values: [id] });
  }

  commit(group: readonly CallWrite[]): Promise<void> {
    return this.#deps.writes.use((client) => writeGroup(client, this.node, group));
  }

  async save(records: readonly InvocationRecord[], details: readonly InvocationDetails[]): Promise<void> {
    // Pieces, so that calls do not wait behind the backlog of a long outage.
    for (const piece of inPieces(records)) await this.#saveEach(piece, (some) => this.commit(some.map(saving)));
    for (const piece of inPieces(details))
      await this.#saveEach(piece, async (some) => {
        await this.#deps.lazy.rows({ name: 'svc-details', text: SAVE_DETAILS, values: detailColumns(some) });
      });
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    const rows = await this.#deps.reads.rows<PaidInvocationRow>({ text: TAKE, values: [this.node, ids] });
    return rows.map(toInvocation);
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    const { reads, node, life } = this.#deps;
    if (!life.mayDeclareDead) return [];
    const rows = await reads.transaction(async (client) => {
      // One node at a time, so that the second sees that the first is alive.
      await client.query(`SELECT pg_advisory_xact_lock(${TAKING})`);
      // This heartbeat detects a jump of the clock.
      await life.beat(client);
      if (!life.mayDeclareDead) return [];
      const taken = await client.query<PaidInvocationRow>(TAKE_ABANDONED, [node]);
      await client.query(`DELETE FROM nodes WHERE ${LONG_DEAD}`);
      return taken.rows;
    });
    return rows.map(toInvocation).sort((first, second) => first.startedAt - second.startedAt);
  }

  asUnavailable = asUnavailable;

  async close(): Promise<void> {}

  async #read(query: { name: string; text: string; values: string[] }): Promise<InvocationRecord | undefined> {
    const [row] = await this.#deps.reads.rows<PaidInvocationRow>(query);
    return row && toInvocation(row);
  }

  /** Reports and drops a row that the database rejects for good, which must not be retried for ever, and saves the others. */
  async #saveEach<T>(rows: readonly T[], save: (rows: readonly T[]) => Promise<void>): Promise<void> {
    try {
      await save(rows);
    } catch (error) {
      if (asUnavailable(error)) throw error;
      if (rows.length > 1) for (const row of rows) await this.#saveEach([row], save);
      else this.#deps.onError(error);
    }
  }
}

/** The calls that a statement returns, with their entries in the ledger. */
function taken(statement: string): string {
  return `WITH invocations AS (${statement}) ${SELECT_PAID_CALLS}`;
}

function saving(record: InvocationRecord): RefusalWrite {
  return { op: 'refused', record, done: () => {} };
}

/** Commits the group, then calls `done` of each write. */
async function writeGroup(client: PoolClient, node: string, group: readonly CallWrite[]): Promise<void> {
  const starts: StartWrite[] = [];
  const ends: EndWrite[] = [];
  const records: InvocationRecord[] = [];
  for (const write of group) {
    if (write.op === 'start') starts.push(write);
    else if (write.op === 'end') ends.push(write);
    else records.push(write.record);
  }
  const paid = ends.map(({ outcome }) => outcome.charged !== undefined);
  const values = [node, ...startColumns(starts), ...endColumns(ends), ...recordColumns(records), paid];
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

function detailColumns(details: readonly InvocationDetails[]): unknown[] {
  return [
    details.map(({ id }) => id),
    details.map(({ timeline }) => timeline),
    details.map(({ payload }) => payload),
    details.map(({ result }) => result),
  ];
}
