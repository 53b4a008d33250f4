/**
 * Holds the prices of paid calls and books their charges: a group of writes with paid calls is one transaction, in which the budgets of the keys
 * are locked before anything else.
 *
 * Path:   lock the counters of each key and day, write the calls, hold the prices that the budgets cover, delete the calls that they do not cover,
 *         book the charges. Any number of nodes thus hold and charge at most the budget.
 * Order:  counters are locked in the order of their keys, which prevents deadlocks between groups.
 */
import type { PoolClient } from 'pg';
import type { SvcError } from '#sdk/protocol/errors';
import { utcDay } from '../../lib/utc-day';
import type { CallWrite } from '../call-engine';
import { NOTHING_SPENT, overBudget } from '../over-budget';
import { toolkitOf } from '../sql/statements';
import type { Hold, InvocationStart, Spent } from '../store';
import { transactionOn } from './connection';

/** A counter is missing for the first call of a day, and after an import. */
const ADD_COUNTERS = `
INSERT INTO spending (agent_key_id, day, charged, held)
SELECT agent_key_id, day, coalesce((SELECT sum(charged) FROM ledger WHERE ledger.agent_key_id = new.agent_key_id AND ledger.day = new.day), 0),
  coalesce((SELECT sum(authorised) FROM ledger WHERE ledger.agent_key_id = new.agent_key_id AND ledger.day = new.day AND charged IS NULL), 0)
FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::integer[]) AS pair (agent_key_id, day)) AS new
WHERE NOT EXISTS (SELECT FROM spending WHERE spending.agent_key_id = new.agent_key_id AND spending.day = new.day)
ORDER BY agent_key_id, day
ON CONFLICT DO NOTHING`;

const LOCK_COUNTERS = `
SELECT agent_key_id, day, charged::text AS charged, held::text AS held
FROM spending
WHERE (agent_key_id, day) IN (
  SELECT * FROM unnest($1::text[], $2::integer[])
  UNION SELECT agent_key_id, day FROM ledger WHERE invocation_id = ANY ($3::text[]) AND charged IS NULL)
ORDER BY agent_key_id, day
FOR UPDATE`;

const HOLD = `
WITH entries AS (
  INSERT INTO ledger (invocation_id, agent_key_id, toolkit, action, currency, day, authorised, held_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bigint[], $8::bigint[])
)
UPDATE spending SET held = spending.held + new.amount
FROM (
  SELECT agent_key_id, day, sum(amount) AS amount
  FROM unnest($2::text[], $6::integer[], $7::bigint[]) AS start (agent_key_id, day, amount) GROUP BY agent_key_id, day) AS new
WHERE spending.agent_key_id = new.agent_key_id AND spending.day = new.day`;

// A refusal releases nothing when another node has claimed the call under the same id: then the call still has its key.
const BOOK = `
WITH booked AS (
  UPDATE ledger SET charged = least(new.charged, ledger.authorised), booked_at = new.at
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[]) AS new (id, charged, at, refused)
  WHERE ledger.invocation_id = new.id AND ledger.charged IS NULL AND (NOT new.refused OR NOT EXISTS (
    SELECT FROM invocations WHERE invocations.id = new.id AND (invocations.idempotency_key IS NOT NULL OR invocations.code IS NULL)))
  RETURNING agent_key_id, day, authorised, ledger.charged
)
UPDATE spending SET held = spending.held - done.authorised, charged = spending.charged + done.charged
FROM (SELECT agent_key_id, day, sum(authorised) AS authorised, sum(charged) AS charged FROM booked GROUP BY agent_key_id, day) AS done
WHERE spending.agent_key_id = done.agent_key_id AND spending.day = done.day`;

const REMOVE = 'DELETE FROM invocations WHERE id = ANY ($1::text[])';

type PaidStart = InvocationStart & { hold: Hold };

interface CounterRow {
  agent_key_id: string;
  day: number;
  charged: string;
  held: string;
}

interface Booking {
  id: string;
  charged: bigint;
  at: number;
  /** Whether the call was refused before a handler got it. */
  refused: boolean;
}

/** The result of the group's own statement: invocation id -> whether the call has an idempotency key. */
type Written = Map<string, boolean>;

export interface PaidWritten {
  written: Written;
  /** Invocation id -> PAYMENT_REQUIRED. These calls did not start. */
  refusals: Map<string, SvcError>;
}

/** Whether a write of the group changes the ledger. */
export function isPaid(group: readonly CallWrite[]): boolean {
  return group.some((write) => {
    if (write.op === 'start') return write.call.hold !== undefined;
    return (write.op === 'end' ? write.outcome : write.record.outcome)?.charged !== undefined;
  });
}

/** @param write writes the calls of the group */
export function writePaid(client: PoolClient, group: readonly CallWrite[], write: () => Promise<Written>): Promise<PaidWritten> {
  const starts = group.flatMap((each) => (each.op === 'start' && isHolding(each.call) ? [each.call] : []));
  const bookings = bookingsOf(group);
  return transactionOn(client, async () => {
    const spent = await lockCounters(client, starts, bookings);
    const written = await write();
    const started = starts.filter(({ id }) => written.has(id));
    const refusals = await holdPrices(client, started, spent);
    // An outcome that another one precedes books nothing.
    await bookCharges(
      client,
      bookings.filter(({ id, refused }) => refused || written.has(id)),
    );
    return { written, refusals };
  });
}

/** Holds the prices that the budgets cover. Removes the other calls, and returns PAYMENT_REQUIRED by invocation id. */
async function holdPrices(client: PoolClient, started: readonly PaidStart[], spent: ReadonlyMap<string, Spent>) {
  const { held, refusals } = decide(started, spent);
  if (held.length > 0) await client.query({ name: 'svc-hold', text: HOLD, values: holdColumns(held) });
  if (refusals.size > 0) await client.query({ name: 'svc-remove', text: REMOVE, values: [[...refusals.keys()]] });
  return refusals;
}

async function bookCharges(client: PoolClient, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length > 0) await client.query({ name: 'svc-book', text: BOOK, values: bookingColumns(bookings) });
}

async function lockCounters(client: PoolClient, starts: readonly PaidStart[], bookings: readonly Booking[]): Promise<Map<string, Spent>> {
  const keys = [starts.map(({ agentKeyId }) => agentKeyId), starts.map(({ startedAt }) => utcDay(startedAt))];
  if (starts.length > 0) await client.query({ name: 'svc-counters', text: ADD_COUNTERS, values: keys });
  const values = [...keys, bookings.map(({ id }) => id)];
  const { rows } = await client.query<CounterRow>({ name: 'svc-lock', text: LOCK_COUNTERS, values });
  return new Map(
    rows.map(({ agent_key_id, day, charged, held }) => [`${day} ${agent_key_id}`, { charged: BigInt(charged), held: BigInt(held) }]),
  );
}

/** Decides in the order of the group which calls the budgets cover. */
function decide(started: readonly PaidStart[], spent: ReadonlyMap<string, Spent>) {
  const held: PaidStart[] = [];
  const refusals = new Map<string, SvcError>();
  for (const call of started) {
    const counter = spent.get(`${utcDay(call.startedAt)} ${call.agentKeyId}`);
    const refusal = overBudget(call, call.hold, counter ?? NOTHING_SPENT);
    if (refusal) refusals.set(call.id, refusal);
    else {
      held.push(call);
      if (counter) counter.held += call.hold.amount;
    }
  }
  return { held, refusals };
}

function bookingsOf(group: readonly CallWrite[]): Booking[] {
  return group.flatMap((write) => {
    if (write.op === 'start') return [];
    const [id, outcome] = write.op === 'end' ? [write.id, write.outcome] : [write.record.id, write.record.outcome];
    if (outcome?.charged === undefined) return [];
    return [{ id, charged: outcome.charged, at: outcome.endedAt, refused: write.op === 'refused' }];
  });
}

function isHolding(call: InvocationStart): call is PaidStart {
  return call.hold !== undefined;
}

function holdColumns(held: readonly PaidStart[]): unknown[] {
  return [
    held.map(({ id }) => id),
    held.map(({ agentKeyId }) => agentKeyId),
    held.map(({ action }) => toolkitOf(action)),
    held.map(({ action }) => action),
    held.map(({ hold }) => hold.currency),
    held.map(({ startedAt }) => utcDay(startedAt)),
    held.map(({ hold }) => hold.amount.toString()),
    held.map(({ startedAt }) => startedAt),
  ];
}

function bookingColumns(bookings: readonly Booking[]): unknown[] {
  return [
    bookings.map(({ id }) => id),
    bookings.map(({ charged }) => charged.toString()),
    bookings.map(({ at }) => at),
    bookings.map(({ refused }) => refused),
  ];
}
