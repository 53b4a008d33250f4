/** A day of calls, and weeks of everything else, written into the data of a service that does not run. */
import { DatabaseSync } from 'node:sqlite';
import { pickWeighted, randomOf } from '../../bench/common/random.ts';
import { bucketOf } from '../../service/src/records/duration-buckets.ts';
import { DERIVE_SUMS } from '../../service/src/store/sql/counts.ts';
import { DERIVE_TOOLKITS } from '../../service/src/store/sql/invocations.ts';
import type { TimelineEntry } from '../../src/protocol/admin.ts';
import { toMillionths } from '../../src/protocol/amount.ts';
import { type ShownAction, TOOLKITS } from './toolkits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Calls in the hours before noon and after it, as a share of a busy one, by hour of the day. */
const BUSY = [
  0.06, 0.04, 0.03, 0.03, 0.05, 0.12, 0.25, 0.48, 0.74, 0.92, 1, 0.97, 0.82, 0.86, 0.95, 0.98, 0.88, 0.71, 0.55, 0.42, 0.34, 0.26, 0.17,
  0.1,
];
/** When the workshop's computer hung, in hours before now. */
const OUTAGE = { from: 5.4, to: 4.9, toolkit: 'workshop' };

/** Calls before it are those of the conversation. */
const LAST_CALLS = 5 * MINUTE;

/** The days before the last one that the ledger has, and the number of agents whose keys have a budget. */
const LEDGER_DAYS = 29;
const AGENTS_THAT_PAY = 2;

const NODE = 'node_5c0e6f1b97a24d3f8be2a4c7d91f0e36';
const PROCESS = '8a4cb82a-0d92-4f6e-b1c5-3de07a61f924';

/** Queries of agents: how often, by how many of the keys, how many searches found nothing, after how many the action was used. */
const SEARCHES: { query: string; searches: number; keys: number; empty?: number; found?: { action: string; used: number }[] }[] = [
  { query: 'where is the parcel of this order', searches: 214, keys: 4, found: [{ action: 'orders__track_parcel', used: 187 }] },
  {
    query: 'find a customer by e-mail address',
    searches: 188,
    keys: 4,
    found: [
      { action: 'customers__find_customer', used: 171 },
      { action: 'orders__find_orders', used: 0 },
    ],
  },
  { query: 'change the delivery address of an order', searches: 71, keys: 3, found: [{ action: 'orders__change_address', used: 58 }] },
  { query: 'free appointment for a repair', searches: 96, keys: 3, found: [{ action: 'workshop__free_times', used: 80 }] },
  { query: 'issue an invoice with VAT number', searches: 61, keys: 4, empty: 61 },
  { query: 'translate a message to Swedish', searches: 44, keys: 3, empty: 39, found: [{ action: 'customers__add_note', used: 0 }] },
  { query: 'refund only the shipping costs', searches: 31, keys: 3, found: [{ action: 'orders__cancel_order', used: 0 }] },
  { query: 'stock in the shop in Malmö', searches: 29, keys: 2, found: [{ action: 'warehouse__stock_level', used: 22 }] },
  { query: 'call the customer back by phone', searches: 17, keys: 2, empty: 17 },
  { query: 'opening hours on public holidays', searches: 12, keys: 2, empty: 12 },
  { query: 'rent a cargo bike for a weekend', searches: 9, keys: 1, empty: 9 },
];

export interface Past {
  /** Names of agents, the most busy first. */
  agentKeyIds: readonly string[];
  now: number;
}

/** The ids that calls which are in the data have from now on, by those that they had. */
export function writePast(file: string, { agentKeyIds, now }: Past): { ids: ReadonlyMap<string, string> } {
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN');
    const random = randomOf('a day of calls');
    const ofConversation = randomOf('a conversation');
    const settled = settleCalls(database, (startedAt) => (startedAt < now - LAST_CALLS ? ofConversation : random));
    const past = pastCalls(agentKeyIds, now, random);
    writeCalls(database, past);
    countCalls(database, [...past, ...settled.values()]);
    writeLedger(database, [...past, ...settled.values()], { agentKeyIds, now });
    writeSearches(database, agentKeyIds, now);
    age(database, now);
    database.exec(`DELETE FROM call_sums; ${DERIVE_SUMS}; ${DERIVE_TOOLKITS}`);
    database.exec('COMMIT');
    return { ids: new Map(Array.from(settled, ([former, { id }]) => [former, id])) };
  } finally {
    database.close();
  }
}

interface PastCall {
  id: string;
  action: string;
  agentKeyId: string;
  code: string;
  startedAt: number;
  ms: number;
}

/** Real calls have random durations and ids: both are replaced here, so that they are the same in every run. */
function settleCalls(database: DatabaseSync, randomAt: (startedAt: number) => () => number): Map<string, PastCall> {
  const calls = database.prepare('SELECT id, agent_key_id, action, code, started_at FROM invocations ORDER BY id').all() as {
    id: string;
    agent_key_id: string;
    action: string;
    code: string;
    started_at: number;
  }[];
  const call = database.prepare('UPDATE invocations SET id = ?, ended_at = ?, node = ?, idempotency_key = ? WHERE id = ?');
  const inSession = database.prepare('UPDATE session_requests SET id = ? WHERE id = ?');
  const detail = database.prepare('UPDATE invocation_details SET id = ?, timeline = ?, result = replace(result, ?, ?) WHERE id = ?');
  return new Map(
    calls.map(({ id: former, agent_key_id: agentKeyId, action, code, started_at: startedAt }) => {
      const random = randomAt(startedAt);
      const id = idOf(startedAt, random);
      const [toolkit, name] = action.split('__');
      const shown = TOOLKITS.find((listed) => listed.name === toolkit)?.actions.find((listed) => listed.name === name);
      if (!shown) throw new Error(`There is no action ${action}`);
      const ms = Math.round(msOf(code, shown, random));
      call.run(id, startedAt + ms, NODE, randomText(random, 32), former);
      inSession.run(id, former);
      detail.run(id, JSON.stringify(timelineOf(code, ms)), former, id, former);
      return [former, { id, action, agentKeyId, code, startedAt, ms }];
    }),
  );
}

function writeCalls(database: DatabaseSync, calls: readonly PastCall[]): void {
  const call = database.prepare(
    `INSERT INTO invocations (id, agent_key_id, request_hash, action, started_at, code, ended_at, node) VALUES (?, ?, '', ?, ?, ?, ?, ?)`,
  );
  const detail = database.prepare('INSERT INTO invocation_details (id, timeline) VALUES (?, ?)');
  for (const { id, action, agentKeyId, code, startedAt, ms } of calls) {
    call.run(id, agentKeyId, action, startedAt, code, startedAt + Math.round(ms), NODE);
    detail.run(id, JSON.stringify(timelineOf(code, ms)));
  }
}

function countCalls(database: DatabaseSync, calls: readonly PastCall[]): void {
  database.exec('DELETE FROM call_counts; DELETE FROM call_sums');
  const count = database.prepare(
    `INSERT INTO call_counts (dimension, name, step, start, code, bucket, calls) VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET calls = calls + 1`,
  );
  for (const { action, agentKeyId, code, startedAt, ms } of calls) {
    const toolkit = action.slice(0, action.indexOf('__'));
    for (const [dimension, name] of [
      ['all', ''],
      ['key', agentKeyId],
      ['toolkit', toolkit],
      ['action', action],
    ] as const)
      for (const step of [60, 3_600, 86_400]) {
        const stepMs = step * 1_000;
        count.run(dimension, name, step, Math.floor((startedAt + ms) / stepMs) * stepMs, code, bucketOf(ms));
      }
  }
  database.exec(`INSERT INTO call_sums (dimension, step, start, name, calls, errors)
    SELECT dimension, step, start, name, sum(calls), sum(CASE WHEN code = 'OK' THEN 0 ELSE calls END)
    FROM call_counts WHERE step > 60 GROUP BY dimension, step, start, name`);
}

/** Calls of earlier days are in the ledger alone, which outlasts their records. */
function writeLedger(database: DatabaseSync, calls: readonly PastCall[], { agentKeyIds, now }: Past): void {
  const random = randomOf('a month of paid calls');
  const days = Array.from({ length: LEDGER_DAYS }, (_, index) => (LEDGER_DAYS - index) * DAY);
  const earlier = days.flatMap((ago) => pastCalls(agentKeyIds, now - ago, random));
  database.exec('DELETE FROM ledger');
  const row = database.prepare(
    `INSERT INTO ledger (invocation_id, agent_key_id, toolkit, action, currency, day, authorised, held_at, charged, booked_at)
     VALUES (?, ?, ?, ?, 'USD', ?, ?, ?, ?, ?)`,
  );
  for (const { id, agentKeyId, action, code, startedAt, ms } of [...earlier, ...calls]) {
    const [toolkit = '', name] = action.split('__');
    const price = TOOLKITS.find((listed) => listed.name === toolkit)?.actions.find((listed) => listed.name === name)?.payment?.amount;
    const isPaid = agentKeyIds.indexOf(agentKeyId) < AGENTS_THAT_PAY && code !== 'INVALID_PAYLOAD' && code !== 'TOOLKIT_OFFLINE';
    const authorised = toMillionths(price);
    if (authorised === undefined || !isPaid) continue;
    const charged = code === 'OK' ? (authorised * BigInt(60 + Math.floor(random() * 40))) / 100n : 0n;
    const isHeld = code === 'INVOCATION_TIMEOUT' && startedAt > now - DAY;
    const booked = isHeld ? [null, null] : [charged, startedAt + Math.round(ms)];
    row.run(id, agentKeyId, toolkit, action, Math.floor(startedAt / DAY), authorised, startedAt, ...(booked as [bigint, number]));
  }
}

function pastCalls(agentKeyIds: readonly string[], now: number, random: () => number): PastCall[] {
  return TOOLKITS.flatMap(({ name: toolkit, actions }) =>
    actions.flatMap((action) =>
      timesOf(action, now, random).map((startedAt) => {
        const isOut = toolkit === OUTAGE.toolkit && startedAt > now - OUTAGE.from * HOUR && startedAt < now - OUTAGE.to * HOUR;
        const code = isOut ? 'INVOCATION_TIMEOUT' : codeOf(action, random);
        return {
          id: idOf(startedAt, random),
          action: `${toolkit}__${action.name}`,
          agentKeyId: pickWeighted(agentKeyIds, (id) => 1 / (1 + agentKeyIds.indexOf(id)), random) ?? '',
          code,
          startedAt,
          ms: msOf(code, action, random),
        };
      }),
    ),
  );
}

/** Spread over a day that ends now, as people are awake. */
function timesOf({ past }: ShownAction, now: number, random: () => number): number[] {
  const times: number[] = [];
  for (let hour = now - DAY; hour < now - MINUTE; hour += HOUR) {
    const calls = past.hourly * (BUSY[new Date(hour).getUTCHours()] ?? 0) * (0.8 + 0.4 * random());
    for (let call = random(); call < calls; call++) times.push(Math.floor(Math.min(hour + random() * HOUR, now - MINUTE)));
  }
  return times;
}

function codeOf({ past: { failures = {} } }: ShownAction, random: () => number): string {
  let left = random();
  for (const [code, share] of Object.entries(failures)) {
    left -= share;
    if (left < 0) return code;
  }
  return 'OK';
}

function msOf(code: string, { past }: ShownAction, random: () => number): number {
  if (code === 'INVOCATION_TIMEOUT') return 30_000 + random() * 20;
  if (code === 'INVALID_PAYLOAD' || code === 'TOOLKIT_OFFLINE') return 0.4 + random();
  // Most durations are near the median, and some are many times as long.
  return past.ms * Math.exp((random() + random() + random() - 1.5) * 1.1);
}

function timelineOf(code: string, ms: number): TimelineEntry[] {
  const ended: TimelineEntry = { ms, what: 'ended', detail: code };
  const received: TimelineEntry = { ms: 0, what: 'received', detail: NODE };
  if (code === 'INVALID_PAYLOAD' || code === 'TOOLKIT_OFFLINE') return [received, ended];
  return [received, { ms: 0.3, what: 'claimed', detail: NODE }, { ms: 0.4, what: 'sent', detail: `process ${PROCESS} at ${NODE}` }, ended];
}

/** As ids of calls are: they sort as the calls came. */
const idOf = (startedAt: number, random: () => number) => `inv_${startedAt.toString(36).padStart(9, '0')}${randomText(random, 16)}`;

const randomText = (random: () => number, length: number) => Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join('');

function writeSearches(database: DatabaseSync, agentKeyIds: readonly string[], now: number): void {
  database.exec('DELETE FROM search_counts; DELETE FROM search_keys');
  const row = database.prepare(
    `INSERT INTO search_counts (day, query, action, searches, empty, used, last_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const asker = database.prepare('INSERT INTO search_keys (day, query, agent_key_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const day = Math.floor(now / DAY) * DAY;
  for (const [index, { query, searches, keys, empty = 0, found = [] }] of SEARCHES.entries()) {
    const lastAt = now - (3 + index * 17) * MINUTE;
    const used = found.reduce((sum, action) => sum + action.used, 0);
    row.run(day, query, '', searches, empty, used, lastAt);
    for (const one of found) row.run(day, query, one.action, searches - empty, 0, one.used, lastAt);
    for (const id of agentKeyIds.slice(0, keys)) asker.run(day, query, id);
  }
}

/** Moves the creation times into the last weeks. */
function age(database: DatabaseSync, now: number): void {
  const entries = database.prepare('SELECT id FROM audit ORDER BY id').all() as { id: string }[];
  const move = database.prepare('UPDATE audit SET at = ? WHERE id = ?');
  for (const [index, { id }] of entries.entries())
    move.run(Math.floor(now - 3 * HOUR - ((entries.length - index) / entries.length) ** 2 * 20 * DAY), id);
  database.prepare('UPDATE keys SET created_at = created_at - ?').run(19 * DAY);
  const people = database.prepare('SELECT id FROM people ORDER BY created_at').all() as { id: string }[];
  const join = database.prepare('UPDATE people SET created_at = ? WHERE id = ?');
  for (const [index, { id }] of people.entries()) join.run(new Date(now - (20 - index / 4) * DAY).toISOString(), id);
}
