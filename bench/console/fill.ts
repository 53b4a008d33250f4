/** Calls, counts and searches straight into the tables, as fast as the engine takes them. The store has made the tables before. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { CallCount } from '../../service/src/store/console-store.ts';
import { DERIVE_SUMS } from '../../service/src/store/sql/counts.ts';
import { toolkitOf } from '../../service/src/store/sql/statements.ts';
import { type Call, type Conversation, Counting, callsOf, conversationsOf } from './synthetic.ts';

type Row = (string | number | null)[];

interface Table {
  name: string;
  /** Columns with their types in PostgreSQL. */
  columns: Record<string, 'text' | 'bigint'>;
}

const CALLS: Table = {
  name: 'invocations',
  columns: {
    id: 'text',
    agent_key_id: 'text',
    request_hash: 'text',
    action: 'text',
    toolkit: 'text',
    started_at: 'bigint',
    code: 'text',
    ended_at: 'bigint',
    toolkit_code: 'text',
  },
};
const ACTIVITY = {
  first_at: 'bigint',
  last_at: 'bigint',
  searches: 'bigint',
  in_vain: 'bigint',
  calls: 'bigint',
  errors: 'bigint',
  cost: 'bigint',
  input_tokens: 'bigint',
  cached_tokens: 'bigint',
  output_tokens: 'bigint',
} as const;
const SESSIONS: Table = {
  name: 'session_sums',
  columns: { session_id: 'text', agent_key_id: 'text', user_id: 'text', ...ACTIVITY, last_call_at: 'bigint', last_code: 'text' },
};
const USER_DAYS: Table = { name: 'user_days', columns: { user_id: 'text', day: 'bigint', agent_key_id: 'text', ...ACTIVITY } };
const DETAILS: Table = { name: 'invocation_details', columns: { id: 'text', timeline: 'text' } };
const COUNTS: Table = {
  name: 'call_counts',
  columns: { dimension: 'text', name: 'text', step: 'bigint', start: 'bigint', code: 'text', bucket: 'bigint', calls: 'bigint' },
};
const ROWS = 10_000;

const TIMELINE = JSON.stringify([
  { ms: 0, what: 'received' },
  { ms: 1, what: 'sent', detail: 'node_0123456789abcdef' },
  { ms: 21, what: 'ended' },
]);

type Insert = (table: Table, rows: Row[]) => unknown;

export async function fillSqlite(path: string, calls: number): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  await fill(calls, ({ name, columns }, rows) => {
    const names = Object.keys(columns);
    const insert = database.prepare(`INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
    database.exec('BEGIN');
    for (const row of rows) insert.run(...row);
    database.exec('COMMIT');
  });
  database.exec(DERIVE_SUMS);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** True if it was filled before. */
export async function hasTables(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query('SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1');
  await client.end();
  return rowCount === 1;
}

export async function fillPostgres(url: string, calls: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET synchronous_commit = off');
  await fill(calls, ({ name, columns }, rows) => {
    const names = Object.keys(columns);
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const text = `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`;
    return client.query(
      text,
      names.map((_, column) => rows.map((row) => row[column])),
    );
  });
  await client.query(DERIVE_SUMS);
  // Autovacuum would have done this for data that arrived over seven days.
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function fill(count: number, insert: Insert): Promise<void> {
  const counting = new Counting();
  let calls: Call[] = [];
  const flush = async (before: number) => {
    await insert(CALLS, calls.map(toRow));
    await insert(
      DETAILS,
      calls.map(({ id }) => [id, TIMELINE]),
    );
    await insert(COUNTS, Array.from(counting.take(before), toCountRow));
    calls = [];
  };
  for (const call of callsOf(count)) {
    calls.push(call);
    counting.add(call);
    if (calls.length === ROWS) await flush(call.startedAt);
  }
  await flush(Number.POSITIVE_INFINITY);
  await fillConversations(count, insert);
}

async function fillConversations(calls: number, insert: Insert): Promise<void> {
  const days = new Map<string, Row>();
  let sessions: Row[] = [];
  for (const conversation of conversationsOf(calls)) {
    const { sessionId, userId, key, lastAt, errors } = conversation;
    const activity = toActivity(conversation);
    sessions.push([sessionId, key, userId, ...activity, lastAt, errors > 0 ? 'ACTION_FAILED' : 'OK']);
    // A user's sessions of one day and key are one row; the sums of the first are enough here.
    const day = lastAt - (lastAt % 86_400_000);
    days.set(`${userId} ${day} ${key}`, [userId, day, key, ...activity]);
    if (sessions.length < ROWS) continue;
    await insert(SESSIONS, sessions);
    sessions = [];
  }
  await insert(SESSIONS, sessions);
  const rows = [...days.values()];
  for (let at = 0; at < rows.length; at += ROWS) await insert(USER_DAYS, rows.slice(at, at + ROWS));
}

/** The columns of `ACTIVITY`. */
function toActivity({ firstAt, lastAt, inVain, errors, cost }: Conversation): Row {
  return [firstAt, lastAt, 3, inVain, 10, errors, cost, 4_200, 1_000, 310];
}

function toRow({ id, key, action, startedAt, code, endedAt, toolkitCode }: Call): Row {
  return [id, key, '', action, toolkitOf(action), startedAt, code, endedAt, toolkitCode];
}

function toCountRow({ dimension, name, step, start, code, bucket, calls }: CallCount): Row {
  return [dimension, name, step, start, code, bucket, calls];
}
