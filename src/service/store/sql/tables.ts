/** The tables as Kysely sees them; `migrations/` makes them. Times are milliseconds since the epoch, JSON is text. */
import type { Compilable } from 'kysely';

export interface Tables {
  toolkits: ToolkitRow;
  actions: ActionRow;
  keys: KeyRow;
  invocations: InvocationRow;
  evidence: EvidenceRow;
  evidence_secret: EvidenceSecretRow;
  action_vectors: ActionVectorRow;
}

export interface ToolkitRow {
  id: string;
  name: string;
  description: string;
  created_at: number;
}

export interface ActionRow {
  toolkit_id: string;
  name: string;
  description: string;
  payload_schema: string;
  annotations: string;
}

export interface KeyRow {
  id: string;
  kind: string;
  name: string;
  hash: string;
  toolkit_id: string | null;
  allow: string | null;
  calls_per_minute: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface InvocationRow {
  id: string;
  agent_key_id: string;
  idempotency_key: string | null;
  request_hash: string;
  action: string;
  started_at: number;
  code: string | null;
  body: string | null;
  ended_at: number | null;
  node: string;
}

export interface EvidenceRow {
  action: string;
  query: string;
  agent_key_id: string;
  terms: string;
  text: string | null;
  successes: number;
  failures: number;
  succeeded_at: number | null;
  changed_at: number;
}

interface EvidenceSecretRow {
  id: number;
  secret: string;
}

export interface ActionVectorRow {
  action_id: string;
  fingerprint: string;
  vector: Uint8Array<ArrayBuffer>;
}

/**
 * Runs the queries in order in one transaction. Kysely's own transactions await between their queries, which on SQLite's
 * one connection would let other writes slip in.
 */
export type Atomically = (queries: readonly Compilable[]) => Promise<void>;
