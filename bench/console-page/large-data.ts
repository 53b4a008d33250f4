/**
 * The data of a large marketplace, written into the tables of a service that does not run: 2,000 keys, 500 toolkits with ten actions each, 100,000
 * calls of the last day and 10,000 sessions of 1,000 end users.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { bucketOf } from '../../service/src/records/duration-buckets.ts';
import type { CallCount } from '../../service/src/store/console-store.ts';
import { DERIVE_SUMS } from '../../service/src/store/sql/counts.ts';
import { firstIdAt } from '../../service/src/store/sql/statements.ts';
import { randomOf } from '../common/random.ts';

export const LARGE = { keys: 2_000, toolkits: 500, calls: 100_000, sessions: 10_000, users: 1_000 };

const DAY_MS = 86_400_000;
const ACTIONS_PER_TOOLKIT = 10;
const SUBJECTS = ['invoices', 'journeys', 'contacts', 'documents', 'events', 'goods', 'hours', 'budgets', 'forecasts', 'contracts'];
const VERBS = ['find', 'create', 'change', 'delete', 'list', 'export', 'import', 'compare', 'archive', 'send'];
const STEPS = [60, 3_600, 86_400] as const;

type Row = Record<string, SQLInputValue>;

/** @param now milliseconds since the epoch */
export function fillLarge(path: string, now: number): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const random = randomOf('console-page');
  const pick = (count: number) => Math.floor(random() ** 2 * count);
  const toolkitId = (number: number) => `${SUBJECTS[number % SUBJECTS.length]}-of-department-${number}`;
  const actionId = (number: number, verb: number) => `${toolkitId(number)}__${VERBS[verb]}_${SUBJECTS[number % SUBJECTS.length]}`;
  const keyId = (number: number) => `key_${String(number).padStart(16, '0')}`;

  insertAll(database, 'toolkits', LARGE.toolkits, (number) => ({
    id: toolkitId(number),
    name: `${SUBJECTS[number % SUBJECTS.length]} of department ${number}`,
    description: `Works with the ${SUBJECTS[number % SUBJECTS.length]} of department ${number}: finds, creates and changes them`,
    created_at: now - number * 60_000,
  }));
  insertAll(database, 'actions', LARGE.toolkits * ACTIONS_PER_TOOLKIT, (number) => {
    const [toolkit, verb] = [Math.floor(number / ACTIONS_PER_TOOLKIT), number % ACTIONS_PER_TOOLKIT];
    return {
      toolkit_id: toolkitId(toolkit),
      name: `${VERBS[verb]}_${SUBJECTS[toolkit % SUBJECTS.length]}`,
      description: `${VERBS[verb]} one of the ${SUBJECTS[toolkit % SUBJECTS.length]} of department ${toolkit} by its number`,
      payload_schema: '{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"],"additionalProperties":false}',
      annotations: '{}',
    };
  });
  insertAll(database, 'keys', LARGE.keys, (number) => ({
    id: keyId(number),
    kind: 'agent',
    name: `agent of team ${number}`,
    hash: String(number).padStart(64, '0'),
    calls_per_minute: 600,
    created_at: now - number * 60_000,
  }));

  const counts = new Map<string, CallCount>();
  const add = (count: CallCount) => {
    const place = JSON.stringify([count.dimension, count.name, count.step, count.start, count.code, count.bucket]);
    const former = counts.get(place);
    if (former) former.calls += 1;
    else counts.set(place, count);
  };
  insertAll(database, 'invocations', LARGE.calls, (number) => {
    const startedAt = now - DAY_MS + Math.floor((number / LARGE.calls) * DAY_MS);
    const toolkit = pick(LARGE.toolkits);
    const [key, action] = [keyId(pick(LARGE.keys)), actionId(toolkit, pick(ACTIONS_PER_TOOLKIT))];
    const ms = Math.ceil(20 * Math.exp(6 * (random() - 0.5)));
    const code = random() < 0.05 ? 'ACTION_FAILED' : 'OK';
    for (const step of STEPS) {
      const counted = { step, start: startedAt - (startedAt % (step * 1_000)), code, bucket: bucketOf(ms), calls: 1 };
      add({ ...counted, dimension: 'all', name: '' });
      add({ ...counted, dimension: 'key', name: key });
      add({ ...counted, dimension: 'toolkit', name: toolkitId(toolkit) });
      add({ ...counted, dimension: 'action', name: action });
    }
    return {
      id: `${firstIdAt(startedAt)}${number.toString(36).padStart(16, '0')}`,
      agent_key_id: key,
      request_hash: '',
      action,
      toolkit: toolkitId(toolkit),
      started_at: startedAt,
      code,
      ended_at: startedAt + ms,
    };
  });
  const counted = [...counts.values()];
  insertAll(database, 'call_counts', counted.length, (number) => ({ ...(counted[number] as CallCount) }));
  const activityOf = (number: number) => {
    const lastAt = now - number * 8_000;
    const sums = { searches: 3, in_vain: number % 5 === 0 ? 1 : 0, calls: 10, errors: number % 7 === 0 ? 1 : 0, cost: 0 };
    return { first_at: lastAt - 300_000, last_at: lastAt, ...sums, input_tokens: 4_200, cached_tokens: 1_000, output_tokens: 310 };
  };
  insertAll(database, 'session_sums', LARGE.sessions, (number) => {
    const activity = activityOf(number);
    return {
      session_id: `chat-${number}`,
      agent_key_id: keyId(pick(LARGE.keys)),
      user_id: `customer-${number % LARGE.users}`,
      ...activity,
      last_call_at: activity.last_at,
      last_code: activity.errors > 0 ? 'ACTION_FAILED' : 'OK',
    };
  });
  insertAll(database, 'user_days', LARGE.users, (number) => {
    const activity = activityOf(number);
    return {
      user_id: `customer-${number}`,
      day: activity.last_at - (activity.last_at % DAY_MS),
      agent_key_id: keyId(pick(LARGE.keys)),
      ...activity,
    };
  });
  // The sums of the counts that were there before are made again with the new ones.
  database.exec('DELETE FROM call_sums');
  database.exec(DERIVE_SUMS);
  database.exec('COMMIT');
  database.close();
}

function insertAll(database: DatabaseSync, table: string, count: number, rowOf: (number: number) => Row): void {
  if (count === 0) return;
  const names = Object.keys(rowOf(0));
  // Counts of the pictures' own calls are there already.
  const insert = database.prepare(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  for (let number = 0; number < count; number++) insert.run(...Object.values(rowOf(number)));
}
