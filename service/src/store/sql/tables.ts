/** Types of the tables for Kysely; `migrations/` creates them. Times are milliseconds since the epoch, JSON is text. */
import type { Compilable } from 'kysely';

export interface Tables {
  toolkits: ToolkitRow;
  actions: ActionRow;
  action_approvals: ActionApprovalRow;
  keys: KeyRow;
  invocations: InvocationRow;
  evidence: EvidenceRow;
  evidence_secret: EvidenceSecretRow;
  action_vectors: ActionVectorRow;
  people: PersonRow;
  sessions: SessionRow;
  logins: LoginRow;
  passkeys: PasskeyRow;
  verifications: VerificationRow;
  invitations: InvitationRow;
  audit: AuditRow;
  settings: SettingRow;
  invocation_details: InvocationDetailsRow;
  call_counts: CallCountRow;
  call_sums: CallSumRow;
  search_counts: SearchCountRow;
  search_keys: SearchKeyRow;
  toolkit_sightings: ToolkitSightingRow;
  session_requests: SessionRequestRow;
  ledger: LedgerRow;
  spending: SpendingRow;
  oauth_codes: OAuthCodeRow;
  oauth_grants: OAuthGrantRow;
  connections: ConnectionRow;
  connect_links: ConnectLinkRow;
  connect_flows: ConnectFlowRow;
  connection_clients: ConnectionClientRow;
  connect_apps: ConnectAppRow;
  approvals: CallApprovalRow;
  approval_callers: ApprovalCallerRow;
  detached_calls: DetachedCallRow;
  runs: RunRow;
  result_misfits: ResultMisfitRow;
  session_sums: SessionSumRow;
  user_days: UserDayRow;
  session_usage: SessionUsageRow;
  toolkit_profiles: ToolkitProfileRow;
  saved_views: SavedViewRow;
  action_rejections: ActionRejectionRow;
  toolkit_callers: ToolkitCallerRow;
  toolkit_uptime: ToolkitUptimeRow;
  action_texts: ActionTextRow;
  publishers: PublisherRow;
  alerts: AlertRow;
  alert_deliveries: AlertDeliveryRow;
  alert_turns: AlertTurnRow;
  store_sizes: StoreSizeRow;
  backups: BackupRow;
}

export interface ToolkitRow {
  id: string;
  name: string;
  description: string;
  created_at: number;
  /** When the toolkit took its present name; null: with its creation. */
  named_at: number | null;
  /** JSON; null: its calls need no connection. */
  auth: string | null;
}

export interface ActionRow {
  toolkit_id: string;
  name: string;
  description: string;
  payload_schema: string;
  annotations: string;
  /** JSON of a `Payment`. */
  payment: string | null;
  title: string | null;
  result_schema: string | null;
  meta: string | null;
  /** JSON of a list. */
  icons: string | null;
  /** JSON; null: as its toolkit's. */
  auth: string | null;
  /** 1 for an action whose calls may take long, else null. */
  long: number | null;
}

export interface ResultMisfitRow {
  action: string;
  version: string;
  path: string;
  results: number;
  last_at: number;
}

export interface ToolkitProfileRow {
  toolkit_id: string;
  readme: string | null;
  icon_type: string | null;
  /** Base64. */
  icon: string | null;
  homepage: string | null;
  category: string | null;
  version: string | null;
  changed_at: number;
}

export interface ActionRejectionRow {
  toolkit_id: string;
  name: string;
  hash: string;
  reason: string;
  rejected_at: number;
}

interface ToolkitCallerRow {
  toolkit_id: string;
  agent_key_id: string;
  number: number;
}

export interface ToolkitUptimeRow {
  /** '' for the service itself. */
  toolkit_id: string;
  /** Days since the epoch, UTC. */
  day: number;
  minutes: number;
  last_minute: number;
}

export interface ActionTextRow {
  toolkit_id: string;
  name: string;
  number: number;
  at: number;
  hash: string;
  text: string | null;
}

interface PublisherRow {
  person_id: string;
}

export interface AlertRow {
  id: string;
  kind: string;
  subject: string;
  severity: string;
  text: string;
  link: string;
  toolkit_id: string | null;
  key_id: string | null;
  since: number;
  ended_at: number | null;
}

interface AlertDeliveryRow {
  alert_id: string;
  target: string;
  event: 'begun' | 'ended';
  due_at: number | null;
  tries: number;
  sent_at: number | null;
  error: string | null;
  failed_at: number | null;
}

interface AlertTurnRow {
  id: number;
  next_at: number;
}

interface StoreSizeRow {
  at: number;
  bytes: number;
}

interface BackupRow {
  at: number;
}

export interface ActionApprovalRow {
  toolkit_id: string;
  name: string;
  hash: string;
  text: string;
  approved_at: number;
}

export interface KeyRow {
  id: string;
  kind: string;
  name: string;
  hash: string;
  toolkit_id: string | null;
  allow: string | null;
  calls_per_minute: number | null;
  /** JSON of a `Budget`. */
  budget: string | null;
  /** JSON of a list of `Rule`. */
  rules: string | null;
  /** 1 for an agent key that may run code, else null. */
  code: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  owner_id: string | null;
  client_id: string | null;
  former_hash: string | null;
  former_until: number | null;
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
  /** The toolkit id in `action`; '' for a text that is not an action id. */
  toolkit: string;
  made_by: string | null;
  toolkit_code: string | null;
  /** Tenths of a millisecond. */
  took: number | null;
  origin: 'console' | null;
}

/** A call with its entry in the ledger; without the columns for a query of calls alone. */
export interface PaidInvocationRow extends InvocationRow {
  authorised?: string | null;
  currency?: string | null;
  charged?: string | null;
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

/** better-auth writes the tables of accounts: times are ISO 8601 text, booleans are 0 or 1. */
export interface PersonRow {
  id: string;
  name: string;
  email: string;
  email_verified: number;
  image: string | null;
  role: string;
  created_at: string;
  updated_at: string;
}

export interface SessionRow {
  id: string;
  person_id: string;
  token: string;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: string;
  updated_at: string;
}

interface LoginRow {
  id: string;
  person_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: string | null;
  refresh_token_expires_at: string | null;
  scope: string | null;
  password: string | null;
  created_at: string;
  updated_at: string;
}

interface PasskeyRow {
  id: string;
  person_id: string;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: number;
  transports: string | null;
  aaguid: string | null;
  created_at: string | null;
}

interface VerificationRow {
  id: string;
  identifier: string;
  value: string;
  expires_at: string;
  created_at: string;
  updated_at: string;
}

export interface InvitationRow {
  id: string;
  hash: string;
  role: string;
  name: string | null;
  person_id: string | null;
  made_by: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface SavedViewRow {
  id: string;
  owner_id: string;
  page: string;
  name: string;
  query: string;
  /** 1: everybody sees it. */
  shared: number;
  created_at: number;
}

export interface AuditRow {
  id: string;
  at: number;
  actor: string;
  what: string;
  subject: string;
  details: string;
}

interface SettingRow {
  name: string;
  value: string;
  changed_at: number;
}

interface InvocationDetailsRow {
  id: string;
  timeline: string;
  payload: string | null;
  result: string | null;
}

interface CallCountRow {
  dimension: string;
  name: string;
  step: number;
  start: number;
  code: string;
  bucket: number;
  calls: number;
}

export interface CallSumRow {
  dimension: string;
  step: number;
  start: number;
  name: string;
  calls: number;
  errors: number;
}

export interface SearchCountRow {
  day: number;
  query: string;
  action: string;
  searches: number;
  empty: number;
  used: number;
  last_at: number;
}

export interface SearchKeyRow {
  day: number;
  query: string;
  agent_key_id: string;
}

/** Amounts are millionths; read them with a cast to text, since they may exceed the exact integers of JavaScript. */
interface LedgerRow {
  invocation_id: string;
  agent_key_id: string;
  toolkit: string;
  action: string;
  currency: string;
  /** Days since the epoch, UTC, of `held_at`. */
  day: number;
  authorised: string;
  /** Null while held. */
  charged: string | null;
  held_at: number;
  booked_at: number | null;
  settled_at: number | null;
}

/** PostgreSQL only: what a key has charged and held in a day. */
interface SpendingRow {
  agent_key_id: string;
  day: number;
  charged: string;
  held: string;
}

export interface SessionRequestRow {
  id: string;
  agent_key_id: string;
  session_id: string | null;
  user_id: string | null;
  at: number;
  search_id: string | null;
  query: string | null;
  /** JSON list of action ids; null for a call. */
  shown: string | null;
  origin: 'console' | null;
}

interface ActivitySumRow {
  first_at: number;
  last_at: number;
  searches: number;
  in_vain: number;
  calls: number;
  errors: number;
  /** Millionths, as a cast to text reads them. */
  cost: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
}

interface SessionSumRow extends ActivitySumRow {
  session_id: string;
  agent_key_id: string;
  user_id: string | null;
  last_call_at: number | null;
  last_code: string | null;
}

interface UserDayRow extends ActivitySumRow {
  user_id: string;
  /** Start of the day, UTC. */
  day: number;
  agent_key_id: string;
}

interface SessionUsageRow {
  session_id: string;
  agent_key_id: string;
  id: string;
  user_id: string | null;
  model: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  at: number;
  batch: string;
}

export interface ToolkitSightingRow {
  toolkit_id: string;
  last_seen_at: number;
}

export interface OAuthCodeRow {
  hash: string;
  /** JSON. */
  request: string;
  expires_at: number;
  used_at: number | null;
  grant_id: string | null;
}

export interface OAuthGrantRow {
  id: string;
  key_id: string;
  person_id: string;
  client_hash: string;
  /** JSON. */
  client: string;
  generation: number;
  rotated_at: number;
  used_at: number;
  created_at: number;
  idle_until: number;
  expires_at: number;
  ended_at: number | null;
}

export interface ConnectionRow {
  id: string;
  toolkit_id: string;
  owner: string;
  name: string;
  is_default: number;
  /** `live`, `ended` or `removed`. */
  status: string;
  type: string;
  /** Base64url. */
  sealed: string;
  sealed_by: string;
  version: number;
  scopes: string;
  account: string;
  expires_at: number | null;
  refreshed_at: number;
  refreshing_until: number;
  created_at: number;
  connected_at: number;
  used_at: number | null;
  fault: string | null;
  fault_at: number | null;
  fault_mender: string | null;
  created_by: string;
}

export interface ConnectLinkRow {
  hash: string;
  owner: string;
  /** JSON. */
  toolkits: string;
  name: string;
  created_by: string;
  browser_hash: string | null;
  starts: number;
  created_at: number;
  expires_at: number;
}

export interface ConnectFlowRow {
  id: string;
  link_hash: string;
  toolkit_id: string;
  owner: string;
  name: string;
  status: string;
  browser_hash: string;
  state_hash: string | null;
  code_hash: string | null;
  /** Base64url, as in the rows below. */
  sealed: string;
  sealed_by: string;
  problem: string | null;
  tries: number;
  created_at: number;
  expires_at: number;
}

export interface ConnectionClientRow {
  toolkit_id: string;
  source: string;
  client_id: string;
  auth_method: string;
  sealed: string | null;
  sealed_by: string | null;
  /** JSON. */
  endpoints: string;
  updated_at: number;
  removed_at: number | null;
}

export interface ConnectAppRow {
  key_id: string;
  return_url: string | null;
  webhook_url: string | null;
  sealed: string | null;
  sealed_by: string | null;
}

export interface CallApprovalRow {
  id: string;
  agent_key_id: string;
  grant_id: string | null;
  user_id: string | null;
  session_id: string | null;
  action: string;
  action_version: string;
  request_hash: string;
  sealed: string | null;
  sealed_by: string | null;
  /** Millionths. */
  price: string | null;
  currency: string | null;
  connection: string | null;
  connection_name: string | null;
  /** JSON. */
  rule: string | null;
  decider: string;
  status: string;
  timeout_ms: number;
  /** JSON. */
  caller: string;
  created_at: number;
  expires_at: number;
  invocation_id: string | null;
  /** 0 or 1. */
  taken: number;
  decided_at: number | null;
  decided_by: string | null;
  decided_by_name: string | null;
  reason: string | null;
  ended_at: number | null;
  session_until: number | null;
  told: string | null;
  tell_at: number | null;
  tell_tries: number;
}

interface ApprovalCallerRow {
  approval_id: string;
  idempotency_key: string;
}

export interface RunRow {
  id: string;
  agent_key_id: string;
  user_id: string | null;
  session_id: string | null;
  idempotency_key: string;
  request_hash: string;
  /** Base64url. */
  code: string;
  code_by: string;
  /** JSON. */
  caller: string;
  timeout_ms: number;
  status: string;
  attempt: number;
  calls: number;
  /** Base64url; null: nothing is kept. */
  state: string | null;
  state_by: string | null;
  /** Base64url; null before the end. */
  answer: string | null;
  answer_by: string | null;
  node: string | null;
  deadline_at: number;
  cancelled_at: number | null;
  created_at: number;
  ended_at: number | null;
}

export interface DetachedCallRow {
  id: string;
  agent_key_id: string;
  user_id: string | null;
  idempotency_key: string;
  request_hash: string;
  action: string;
  /** Base64url; '' after the end. */
  sealed: string;
  sealed_by: string;
  /** JSON. */
  caller: string;
  deadline_at: number;
  node: string | null;
  /** JSON. */
  progress: string | null;
  cancelled_at: number | null;
  approval_id: string | null;
  /** JSON of a `ModelError`. */
  error: string | null;
  created_at: number;
  ended_at: number | null;
}

/**
 * Runs the queries in order in one transaction. Not Kysely's own transactions: they await between queries, so other writes on SQLite's
 * only connection would become part of them.
 */
export type Atomically = (queries: readonly Compilable[]) => Promise<void>;
