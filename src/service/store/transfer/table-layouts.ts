/** The tables as an export has them: all that lasts, in an order in which what is referred to comes first. */
import type { Tables } from '../sql/tables';

/** `?`: or null. Bytes are base64 in an export. */
export type ValueKind = 'text' | 'text?' | 'number' | 'number?' | 'bytes';

type KindOf<Value> = null extends Value
  ? NonNullable<Value> extends string
    ? 'text?'
    : 'number?'
  : Value extends string
    ? 'text'
    : Value extends number
      ? 'number'
      : 'bytes';

interface Layout<Row> {
  /** The primary key, by which the rows are in order. */
  key: readonly (keyof Row & string)[];
  columns: { [Column in keyof Row]: KindOf<Row[Column]> };
}

/** Secrets of the moment: whoever goes to other data signs in again. */
type Passing = 'sessions' | 'verifications';

type TableName = Exclude<keyof Tables, Passing>;

/** Whose call it is does not last: an unfinished one belongs to the first node that takes it. */
type Layouts = { [Table in TableName]: Layout<Omit<Tables[Table], 'node'>> };

const LAYOUTS: Layouts = {
  toolkits: { key: ['id'], columns: { id: 'text', name: 'text', description: 'text', created_at: 'number' } },
  actions: {
    key: ['toolkit_id', 'name'],
    columns: { toolkit_id: 'text', name: 'text', description: 'text', payload_schema: 'text', annotations: 'text' },
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
    },
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
    },
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
    key: ['id'],
    columns: {
      id: 'text',
      hash: 'text',
      role: 'text',
      name: 'text?',
      person_id: 'text?',
      created_at: 'number',
      expires_at: 'number',
      used_at: 'number?',
    },
  },
  audit: { key: ['id'], columns: { id: 'text', at: 'number', actor: 'text', what: 'text', subject: 'text', details: 'text' } },
  settings: { key: ['name'], columns: { name: 'text', value: 'text', changed_at: 'number' } },
  invocation_details: { key: ['id'], columns: { id: 'text', timeline: 'text', payload: 'text?', result: 'text?' } },
  call_counts: {
    key: ['dimension', 'name', 'step', 'start', 'code', 'bucket'],
    columns: { dimension: 'text', name: 'text', step: 'number', start: 'number', code: 'text', bucket: 'number', calls: 'number' },
  },
  search_counts: {
    key: ['day', 'query', 'action'],
    columns: { day: 'number', query: 'text', action: 'text', searches: 'number', empty: 'number', used: 'number', last_at: 'number' },
  },
  search_keys: { key: ['day', 'query', 'agent_key_id'], columns: { day: 'number', query: 'text', agent_key_id: 'text' } },
};

export interface TableLayout {
  name: TableName;
  key: readonly string[];
  columns: readonly { name: string; kind: ValueKind }[];
}

export const TABLES: readonly TableLayout[] = Object.entries(LAYOUTS).map(([name, { key, columns }]) => ({
  name: name as TableName,
  key,
  columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
}));

/** Rows of each table. */
export type RowCounts = Record<TableName, number>;

export function noRows(): RowCounts {
  return Object.fromEntries(TABLES.map(({ name }) => [name, 0])) as RowCounts;
}

/** What the engine gives for a row, by column. */
export type Row = Readonly<Record<string, unknown>>;
