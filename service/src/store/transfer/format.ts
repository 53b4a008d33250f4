/**
 * The format of an export: JSON lines in UTF-8, the same bytes for the same data.
 *
 * Shape: {"format":"svc-sdk-export","version":5}
 *        {"table":"toolkits","columns":["id","name",…]}, then each row as a list of values; and so on for every table, also an empty one
 *        {"end":true,"rows":{"toolkits":2,…},"sha256":"…"}: the rows of each table, and the SHA-256 of all bytes before this line
 */
import { utcDay } from '../../lib/utc-day';
import { toolkitOf } from '../sql/statements';
import type { Tables } from '../sql/tables';

export const FORMAT = 'svc-sdk-export';

export interface HeadLine {
  format: typeof FORMAT;
  version: number;
}

export interface TableLine {
  table: string;
  columns: readonly string[];
}

export interface EndLine {
  end: true;
  rows: RowCounts;
  sha256: string;
}

export function headLine(): HeadLine {
  return { format: FORMAT, version: VERSION };
}

export function tableLine({ name, columns }: TableLayout): TableLine {
  return { table: name, columns: columns.map((column) => column.name) };
}

export function encodeValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') : value;
}

export type Value = string | number | Uint8Array | null;

/** Undefined for a value of another kind. */
export function decodeValue(value: unknown, kind: ValueKind): Value | undefined {
  switch (kind) {
    case 'text?':
    case 'number?':
    case 'amount?':
      return value === null ? null : decodeValue(value, REQUIRED[kind]);
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'amount':
      return typeof value === 'string' && MILLIONTHS.test(value) ? value : undefined;
    case 'bytes':
      return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  }
}

/** `?` allows null. Bytes are base64 in an export. An amount is a text of its digits, in millionths: it may exceed the exact numbers of JSON. */
type ValueKind = 'text' | 'text?' | 'number' | 'number?' | 'amount' | 'amount?' | 'bytes';

const REQUIRED = { 'text?': 'text', 'number?': 'number', 'amount?': 'amount' } as const;
const MILLIONTHS = /^(?:0|[1-9]\d{0,17})$/;

type KindOf<Value> = null extends Value
  ? NonNullable<Value> extends string
    ? 'text?' | 'amount?'
    : 'number?'
  : Value extends string
    ? 'text' | 'amount'
    : Value extends number
      ? 'number'
      : 'bytes';

interface Layout<Row, DerivedColumn extends keyof Row = never> {
  /** The first version of exports with this table. Default: 1. */
  since?: number;
  /** The primary key, which sorts the rows. */
  key: readonly (keyof Row & string)[];
  columns: { [Column in keyof Omit<Row, DerivedColumn>]: KindOf<Row[Column]> };
  /** Columns that an import computes from the others. */
  derived?: { [Column in DerivedColumn]: (row: Omit<Row, DerivedColumn>) => Row[Column] };
  /** Columns of later versions, with the version. They are null for older exports. */
  later?: { [Column in keyof Row]?: number };
}

/** Sign-ins, secrets, runs and calls that wait, which an export leaves out: after an import everyone signs in, and connects their accounts, again. */
type Passing =
  | 'sessions'
  | 'verifications'
  | 'oauth_codes'
  | 'oauth_grants'
  | 'connections'
  | 'connect_links'
  | 'connect_flows'
  | 'connection_clients'
  | 'connect_apps'
  | 'approvals'
  | 'approval_callers'
  | 'detached_calls'
  | 'runs'
  | 'alerts'
  | 'alert_deliveries'
  | 'alert_turns'
  | 'store_sizes'
  | 'backups';

/** Tables that are computed from others or from current events. */
type Derived = 'call_sums' | 'result_misfits' | 'toolkit_sightings' | 'toolkit_uptime' | 'action_texts' | 'publishers' | 'spending';

type TableName = Exclude<keyof Tables, Passing | Derived>;

/** The node of a call is left out, since the first node on the new data takes over unfinished ones, and the toolkit, since the action contains it. */
type Layouts = { [Table in Exclude<TableName, 'ledger'>]: Layout<Omit<Tables[Table], 'node' | 'toolkit'>> } & {
  ledger: Layout<Tables['ledger'], 'toolkit' | 'day'>;
};

/** The sums of sessions and of users. */
const ACTIVITY = {
  first_at: 'number',
  last_at: 'number',
  searches: 'number',
  in_vain: 'number',
  calls: 'number',
  errors: 'number',
  cost: 'amount',
  input_tokens: 'number',
  cached_tokens: 'number',
  output_tokens: 'number',
} as const;

const LAYOUTS: Layouts = {
  toolkits: {
    key: ['id'],
    columns: { id: 'text', name: 'text', description: 'text', created_at: 'number', named_at: 'number?', auth: 'text?' },
    later: { named_at: 3, auth: 8 },
  },
  actions: {
    key: ['toolkit_id', 'name'],
    columns: {
      toolkit_id: 'text',
      name: 'text',
      description: 'text',
      payload_schema: 'text',
      annotations: 'text',
      payment: 'text?',
      title: 'text?',
      result_schema: 'text?',
      meta: 'text?',
      icons: 'text?',
      auth: 'text?',
      long: 'number?',
    },
    later: { payment: 4, title: 6, result_schema: 6, meta: 7, icons: 7, auth: 8, long: 9 },
  },
  toolkit_profiles: {
    since: 11,
    key: ['toolkit_id'],
    columns: {
      toolkit_id: 'text',
      readme: 'text?',
      icon_type: 'text?',
      icon: 'text?',
      homepage: 'text?',
      category: 'text?',
      version: 'text?',
      changed_at: 'number',
    },
  },
  action_approvals: {
    since: 3,
    key: ['toolkit_id', 'name', 'hash'],
    columns: { toolkit_id: 'text', name: 'text', hash: 'text', text: 'text', approved_at: 'number' },
  },
  action_rejections: {
    since: 11,
    key: ['toolkit_id', 'name', 'hash'],
    columns: { toolkit_id: 'text', name: 'text', hash: 'text', reason: 'text', rejected_at: 'number' },
  },
  toolkit_callers: {
    since: 11,
    key: ['toolkit_id', 'agent_key_id'],
    columns: { toolkit_id: 'text', agent_key_id: 'text', number: 'number' },
  },
  keys: {
    key: ['id'],
    columns: {
      id: 'text',
      kind: 'text',
      name: 'text',
      hash: 'text',
      toolkit_id: 'text?',
      allow: 'text?',
      calls_per_minute: 'number?',
      created_at: 'number',
      expires_at: 'number?',
      revoked_at: 'number?',
      owner_id: 'text?',
      budget: 'text?',
      client_id: 'text?',
      rules: 'text?',
      code: 'number?',
      former_hash: 'text?',
      former_until: 'number?',
    },
    later: { owner_id: 2, budget: 4, client_id: 7, rules: 9, code: 10, former_hash: 11, former_until: 11 },
  },
  invocations: {
    key: ['id'],
    columns: {
      id: 'text',
      agent_key_id: 'text',
      idempotency_key: 'text?',
      request_hash: 'text',
      action: 'text',
      started_at: 'number',
      code: 'text?',
      body: 'text?',
      ended_at: 'number?',
      made_by: 'text?',
      toolkit_code: 'text?',
      took: 'number?',
      origin: 'text?',
    },
    later: { made_by: 10, toolkit_code: 11, took: 11, origin: 11 },
  },
  evidence_secret: { key: ['id'], columns: { id: 'number', secret: 'text' } },
  evidence: {
    key: ['action', 'query', 'agent_key_id'],
    columns: {
      action: 'text',
      query: 'text',
      agent_key_id: 'text',
      terms: 'text',
      text: 'text?',
      successes: 'number',
      failures: 'number',
      succeeded_at: 'number?',
      changed_at: 'number',
    },
  },
  action_vectors: { key: ['action_id'], columns: { action_id: 'text', fingerprint: 'text', vector: 'bytes' } },
  people: {
    since: 2,
    key: ['id'],
    columns: {
      id: 'text',
      name: 'text',
      email: 'text',
      email_verified: 'number',
      image: 'text?',
      role: 'text',
      created_at: 'text',
      updated_at: 'text',
    },
  },
  logins: {
    since: 2,
    key: ['id'],
    columns: {
      id: 'text',
      person_id: 'text',
      account_id: 'text',
      provider_id: 'text',
      access_token: 'text?',
      refresh_token: 'text?',
      id_token: 'text?',
      access_token_expires_at: 'text?',
      refresh_token_expires_at: 'text?',
      scope: 'text?',
      password: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
  },
  passkeys: {
    since: 2,
    key: ['id'],
    columns: {
      id: 'text',
      person_id: 'text',
      name: 'text?',
      public_key: 'text',
      credential_id: 'text',
      counter: 'number',
      device_type: 'text',
      backed_up: 'number',
      transports: 'text?',
      aaguid: 'text?',
      created_at: 'text?',
    },
  },
  invitations: {
    since: 2,
    key: ['id'],
    columns: {
      id: 'text',
      hash: 'text',
      role: 'text',
      name: 'text?',
      person_id: 'text?',
      made_by: 'text?',
      created_at: 'number',
      expires_at: 'number',
      used_at: 'number?',
    },
  },
  audit: { since: 2, key: ['id'], columns: { id: 'text', at: 'number', actor: 'text', what: 'text', subject: 'text', details: 'text' } },
  saved_views: {
    since: 11,
    key: ['id'],
    columns: { id: 'text', owner_id: 'text', page: 'text', name: 'text', query: 'text', shared: 'number', created_at: 'number' },
  },
  settings: { since: 2, key: ['name'], columns: { name: 'text', value: 'text', changed_at: 'number' } },
  invocation_details: { since: 2, key: ['id'], columns: { id: 'text', timeline: 'text', payload: 'text?', result: 'text?' } },
  call_counts: {
    since: 2,
    key: ['dimension', 'name', 'step', 'start', 'code', 'bucket'],
    columns: { dimension: 'text', name: 'text', step: 'number', start: 'number', code: 'text', bucket: 'number', calls: 'number' },
  },
  search_counts: {
    since: 2,
    key: ['day', 'query', 'action'],
    columns: { day: 'number', query: 'text', action: 'text', searches: 'number', empty: 'number', used: 'number', last_at: 'number' },
  },
  search_keys: { since: 2, key: ['day', 'query', 'agent_key_id'], columns: { day: 'number', query: 'text', agent_key_id: 'text' } },
  session_requests: {
    since: 5,
    key: ['id'],
    columns: {
      id: 'text',
      agent_key_id: 'text',
      session_id: 'text?',
      user_id: 'text?',
      at: 'number',
      search_id: 'text?',
      query: 'text?',
      shown: 'text?',
      origin: 'text?',
    },
    later: { origin: 11 },
  },
  session_sums: {
    since: 11,
    key: ['session_id', 'agent_key_id'],
    columns: {
      session_id: 'text',
      agent_key_id: 'text',
      user_id: 'text?',
      ...ACTIVITY,
      last_call_at: 'number?',
      last_code: 'text?',
    },
  },
  user_days: {
    since: 11,
    key: ['user_id', 'day', 'agent_key_id'],
    columns: {
      user_id: 'text',
      day: 'number',
      agent_key_id: 'text',
      ...ACTIVITY,
    },
  },
  session_usage: {
    since: 11,
    key: ['session_id', 'agent_key_id', 'id'],
    columns: {
      session_id: 'text',
      agent_key_id: 'text',
      id: 'text',
      user_id: 'text?',
      model: 'text',
      input_tokens: 'number',
      cached_tokens: 'number',
      output_tokens: 'number',
      at: 'number',
      batch: 'text',
    },
  },
  ledger: {
    since: 4,
    key: ['invocation_id'],
    columns: {
      invocation_id: 'text',
      agent_key_id: 'text',
      action: 'text',
      currency: 'text',
      authorised: 'amount',
      charged: 'amount?',
      held_at: 'number',
      booked_at: 'number?',
      settled_at: 'number?',
    },
    derived: { toolkit: ({ action }) => toolkitOf(action), day: ({ held_at }) => utcDay(held_at) },
  },
};

interface AnyLayout {
  since?: number;
  key: readonly string[];
  columns: Record<string, ValueKind>;
  later?: Record<string, number>;
  derived?: Record<string, (row: never) => Value>;
}

export interface TableLayout {
  name: TableName;
  key: readonly string[];
  columns: readonly { name: string; kind: ValueKind }[];
  derived: readonly { name: string; compute(row: Row): Value }[];
}

/** The tables in an export of this version. */
export function tablesOf(version: number): TableLayout[] {
  const layouts = Object.entries(LAYOUTS) as [TableName, AnyLayout][];
  return layouts
    .filter(([, { since = 1 }]) => since <= version)
    .map(([name, { key, columns, later = {}, derived = {} }]) => ({
      name,
      key,
      columns: Object.entries(columns)
        .filter(([column]) => (later[column] ?? 1) <= version)
        .map(([column, kind]) => ({ name: column, kind })),
      derived: Object.entries(derived).map(([column, compute]) => ({ name: column, compute: compute as (row: Row) => Value })),
    }));
}

/** The version of new exports. */
export const VERSION = 11;

export const TABLES: readonly TableLayout[] = tablesOf(VERSION);

/** Number of rows of each table. */
export type RowCounts = Record<TableName, number>;

export function noRows(): RowCounts {
  return Object.fromEntries(TABLES.map(({ name }) => [name, 0])) as RowCounts;
}

/** A row as the engine returns it, by column. */
export type Row = Readonly<Record<string, unknown>>;
