/** Calls in a PostgreSQL database that any number of nodes write. */
import type { CallEngine, CallWrite, RefusalWrite } from '../call-engine';
import type { InvocationDetails } from '../console-store';
import { SELECT_PAID_CALLS, toInvocation } from '../sql/invocations';
import { inPieces } from '../sql/statements';
import type { PaidInvocationRow } from '../sql/tables';
import type { InvocationRecord } from '../store';
import type { Connections } from './connection';
import { asUnavailable } from './errors';
import { TAKING } from './lock';
import { IS_ALIVE, LONG_DEAD, type NodeLife } from './session';
import { writeGroup } from './write-group';

/** Concurrent commits, which PostgreSQL flushes to disk together. */
export const LANES = 2;

/** Planner settings of the connections that write calls. Without statistics the planner would choose to scan the whole table. */
export const WRITER_SETTINGS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
  // Rows come as arrays. PostgreSQL would plan each small group again, for its number of rows, which takes as long as to write it.
  'plan_cache_mode=force_generic_plan',
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

const OPEN = `${SELECT_PAID_CALLS} WHERE invocations.code IS NULL AND invocations.node = $1 AND invocations.started_at < $2`;

const RELEASE = "UPDATE invocations SET idempotency_key = NULL, body = NULL WHERE id = $1 AND code = 'ACTION_FAILED'";

const SAVE_DETAILS = `
INSERT INTO invocation_details (id, timeline, payload, result)
SELECT id, timeline, payload, result
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new (id, timeline, payload, result)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET timeline = excluded.timeline, payload = excluded.payload, result = excluded.result`;

export interface PostgresEngineDeps {
  node: string;
  life: NodeLife;
  reads: Connections;
  writes: Connections;
  /** Connections whose commits do not wait for the disk. */
  lazy: Connections;
  onError: (error: unknown) => void;
}

export class PostgresEngine implements CallEngine {
  readonly lanes = LANES;
  readonly journal = undefined;
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

  /** Frees the idempotency key of a call that ended with ACTION_FAILED. */
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

  async open(before: number): Promise<InvocationRecord[]> {
    const rows = await this.#deps.reads.rows<PaidInvocationRow>({ name: 'svc-open', text: OPEN, values: [this.node, before] });
    return rows.map(toInvocation);
  }

  asUnavailable = asUnavailable;

  probe(): void {}

  rowsChanged(): void {}

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

function detailColumns(details: readonly InvocationDetails[]): unknown[] {
  return [
    details.map(({ id }) => id),
    details.map(({ timeline }) => timeline),
    details.map(({ payload }) => payload),
    details.map(({ result }) => result),
  ];
}
