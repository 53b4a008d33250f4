/**
 * The admin side of the wire: what the console shows and changes, for people who are signed in and for admin keys. docs/protocol.md section 10 is
 * the normative text; `admin-schemas.ts` holds the zod schemas. No runtime dependency: the console imports this in a browser.
 *
 * Who may what: an *owner* and an admin key see and change everything; a *member* sees their own keys, the toolkits that these keys belong to, and
 *               the calls of both. What somebody may not see is NOT_FOUND for them; what only owners may do is NOT_PERMITTED.
 * Times:        ISO 8601, UTC.
 * Pages:        `nextCursor` is there when there is more; pass it as `cursor`.
 */
import type { ModelError, SvcErrorCode } from './errors';
import type { ActionAnnotations, AllowList, JsonSchema, KeyInfo } from './http';
import type { LintFinding } from './lint';

export const ADMIN_PATHS = {
  /** What the sign-in page has to know; the only one that asks nobody who they are. */
  console: '/v1/console',
  /** better-auth's own routes: sign in and out, sessions, passkeys, OIDC. */
  auth: '/v1/auth',
  me: '/v1/me',
  people: '/v1/people',
  invitations: '/v1/invitations',
  /** `/export`, `/:id` */
  invocations: '/v1/invocations',
  /** `/series`, `/top`, `/now` */
  stats: '/v1/stats',
  /** `/toolkits`, `/toolkits/:id`, `/actions`, `/actions/:id` */
  reports: '/v1/reports',
  searches: '/v1/searches',
  audit: '/v1/audit',
  settings: '/v1/settings',
  /** Server-sent events. */
  events: '/v1/events',
} as const;

export type Role = 'owner' | 'member';

export interface ConsoleInfo {
  version: string;
  /** Somebody has an account; until then the setup link makes the first one. */
  setUp: boolean;
  signIn: { passkeys: boolean; oidc?: { name: string } };
}

export interface Me {
  /** Undefined for an admin key. */
  person?: Person;
  role: Role;
  /** Where agents and toolkits reach the service. */
  url: string;
  version: string;
}

export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: string;
  /** Of their last session. */
  lastSeenAt?: string;
}

export interface PeoplePage {
  people: Person[];
}

/** `PATCH /v1/people/:id`: they are signed out, and sign in again in their new role. Who is no owner any more loses their admin keys. */
export interface ChangePersonRequest {
  role: Role;
}

export interface ChangedPerson extends Person {
  /** Ids of keys that were revoked with it. */
  revokedKeys: string[];
}

/** `DELETE /v1/people/:id`: their keys are revoked with them. */
export interface RemovedPerson {
  /** Ids. */
  revokedKeys: string[];
}

/** A one-time link: for a new account, or, with `person`, for a new password of an account. */
export interface Invitation {
  id: string;
  role: Role;
  /** Whom it is for, as the inviter wrote it. */
  name?: string;
  /** Id of the account that gets a new password. */
  person?: string;
  createdAt: string;
  expiresAt: string;
}

export interface InvitationsPage {
  invitations: Invitation[];
}

export interface CreatedInvitation extends Invitation {
  /** Shown this once: the link is `<url>/join#<token>`; what follows the # never leaves the browser in a URL. */
  token: string;
}

/** For a new account, or for a new password of `person`, whose role it does not change. */
export type CreateInvitationRequest = { role: Role; name?: string; expiresInDays?: number } | { person: string; expiresInDays?: number };

/** `POST /v1/invitations/look`. */
export interface LookInvitationRequest {
  token: string;
}

/** `POST /v1/invitations/look`: what a link is good for. */
export interface LookedInvitation {
  role: Role;
  /** The account whose password it sets. */
  email?: string;
  /** It makes the first account. */
  first: boolean;
}

/** `POST /v1/invitations/accept`: makes the account, or sets the password, and signs in (a cookie). Answers with `Me`. */
export interface AcceptInvitationRequest {
  token: string;
  /** Not for a new password. */
  name?: string;
  email?: string;
  /** 12 to 128 characters. */
  password: string;
}

/** A key as the console lists it. */
export interface OwnedKey extends KeyInfo {
  /** Whose it is; absent for keys that were made beside the console, and when the account is gone. */
  owner?: { id: string; name: string };
  /** Of an agent key: its last call. Of a toolkit key: now, while it holds a socket. */
  lastUsedAt?: string;
}

/**
 * `GET /v1/keys?q&kind&state&limit&cursor`: oldest first, all of them; with any of these newest first, and `limit` of them at a time if it is given.
 */
export interface OwnedKeysPage {
  keys: OwnedKey[];
  /** How many fit `q`, `kind` and `state`. */
  total: number;
  nextCursor?: string;
}

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** `PATCH /v1/keys/:id`. */
export interface ChangeKeyRequest {
  name?: string;
  /** null allows everything. */
  allow?: AllowList | null;
  /** null is no limit. */
  callsPerMinute?: number | null;
}

/** Codes of calls that are refused before they are read: nobody knows which action was meant. */
export const REFUSALS = ['RATE_LIMITED', 'KEY_EXPIRED', 'KEY_REVOKED'] as const satisfies readonly SvcErrorCode[];

/** A call in the list. */
export interface InvocationInfo {
  id: string;
  /** Action id as the caller wrote it; empty when the call named none, or was refused before it was read. */
  action: string;
  key: { id: string; name?: string };
  /** `OK` or an error code; absent while it runs. */
  code?: 'OK' | SvcErrorCode;
  startedAt: string;
  /** Milliseconds from start to outcome. */
  ms?: number;
  /**
   * Of calls that were refused before they were read, the first of each minute, key and code is listed: how many there were. Absent for other
   * calls, and after two days.
   */
  standsFor?: number;
}

export interface InvocationsPage {
  /** Newest first. */
  invocations: InvocationInfo[];
  nextCursor?: string;
}

/** One thing that happened to a call. */
export interface TimelineEntry {
  /** Milliseconds from the start of the call. */
  ms: number;
  what: 'received' | 'user' | 'waiting' | 'claimed' | 'sent' | 'progress' | 'lost' | 'forwarded' | 'cancelled' | 'ended';
  /** For people: the node, the user of an agent token, the process of the toolkit, the message of a progress report. */
  detail?: string;
}

/** What is kept of a payload or a result: the text as JSON, redacted and capped. */
export type KeptContent = { json: string; cut?: true } | { kept: false; why: 'off' | 'not an error' | 'not ended' | 'gone' };

export interface InvocationDetail extends InvocationInfo {
  node?: string;
  idempotencyKey?: string;
  timeline: TimelineEntry[];
  payload: KeptContent;
  result: KeptContent;
  /** What the caller was told, when it failed and content is kept. */
  error?: ModelError;
}

/** Counts of calls in one stretch of time. Percentiles are of all calls that ended, to within 10 %. */
export interface CallCounts {
  calls: number;
  /** Of them; refused ones too. */
  errors: number;
  /** Of them, those that were refused before they were read (`REFUSALS`), which no percentile is of. Absent when there were none. */
  refused?: number;
  p50Ms?: number;
  p95Ms?: number;
  p99Ms?: number;
}

/**
 * `GET /v1/stats/series?from&to&key|toolkit|action|mine`: one of them, or, for owners, none for all calls. `mine=keys` counts the calls of one's
 * agent keys, which is what members get who say nothing; `mine=toolkits` those of one's toolkits.
 */
export interface StatsSeries {
  from: string;
  to: string;
  stepSeconds: number;
  total: CallCounts;
  /** One for each step, also for those without calls. */
  points: (CallCounts & { at: string })[];
  /** How the calls ended, most first. */
  codes: { code: string; calls: number }[];
}

/** `GET /v1/stats/top?by&order&from&to&limit` */
export interface StatsTop {
  items: (CallCounts & { id: string; name?: string })[];
}
export type StatsTopBy = 'action' | 'toolkit' | 'key';
export type StatsTopOrder = 'calls' | 'errors' | 'slowest';

/** `GET /v1/stats/now`: for members of their own toolkits and keys only. */
export interface StatsNow {
  toolkitsOnline: number;
  toolkits: number;
  actions: number;
  /** Processes of toolkits that are connected. */
  replicas: number;
  running: number;
  waiting: number;
  /** How many nodes of the service answer. */
  nodes: number;
  /** Nodes that should have answered, and did not in time: what goes on there is not counted. */
  silentNodes?: string[];
  /** All that agents may find: what members are told beside their own. */
  offered: { toolkits: number; online: number };
}

export interface ToolkitReport {
  id: string;
  name: string;
  description: string;
  online: boolean;
  replicas: number;
  actions: number;
  /** Now, while it is online; else when a process of it was connected last, where the toolkit is `mine`. Absent when none ever was. */
  lastSeenAt?: string;
  /** Of the last day; only where the toolkit is `mine`. */
  day?: CallCounts;
  /** Findings of the linter. */
  hints: number;
  /** The one who asks may see its calls and searches. */
  mine: boolean;
}

/** `GET /v1/reports/toolkits?q&state&mine&sort&order&limit&cursor`: those whose id, name or description have every word of `q`. */
export interface ToolkitReportsPage {
  toolkits: ToolkitReport[];
  /** How many fit `q` and `mine`, in any state, and in each. */
  counts: { all: number; online: number; offline: number };
  nextCursor?: string;
}

/** `mine`: one's own first, then by name. Numbers are those of the last day, of toolkits that one may see them of. */
export const TOOLKIT_SORTS = ['id', 'mine', 'name', 'actions', 'calls', 'errors', 'p95', 'hints', 'lastSeen'] as const;
export type ToolkitSort = (typeof TOOLKIT_SORTS)[number];

/** `GET /v1/reports/actions?q&toolkit&limit&cursor`: actions by id, those that have every word of `q` in it. */
export interface ActionSummariesPage {
  actions: { action: string; toolkit: string; description: string; online: boolean }[];
  /** How many fit. */
  total: number;
  nextCursor?: string;
}

/** `DELETE /v1/reports/toolkits/:id`, for owners: its keys are revoked, its actions and numbers are gone. Calls of it stay in the list. */
export interface RemovedToolkit {
  /** Ids. */
  revokedKeys: string[];
}

export interface ReplicaReport {
  instance: string;
  node: string;
  /** Name and version of the SDK, as it says itself. */
  sdk: string;
  connectedAt: string;
  running: number;
  concurrency: number;
}

export interface ToolkitReportDetail extends ToolkitReport {
  /** Only where `mine`. */
  processes?: ReplicaReport[];
  /** Nodes that did not say in time which processes they have. */
  silentNodes?: string[];
  /** The toolkit as a whole; those of an action are with it. */
  findings: LintFinding[];
  actionReports: ActionReport[];
}

export interface ActionReport {
  action: string;
  toolkit: string;
  description: string;
  payloadSchema: JsonSchema;
  annotations?: ActionAnnotations;
  online: boolean;
  /** Of the last day; only where the toolkit is `mine`. */
  day?: CallCounts;
  findings: LintFinding[];
}

/** What agents looked for. Texts are kept only as the settings say. */
export interface SearchReport {
  query: string;
  searches: number;
  /** How many different agent keys. */
  keys: number;
  /** Searches that found nothing at all. */
  empty: number;
  /** Searches after which one of the actions found was called, with success, within ten minutes. */
  used: number;
  lastAt: string;
  /** Which actions it found, most often shown first; for members those of their own toolkits. */
  actions: { action: string; shown: number; used: number }[];
}

/** `GET /v1/searches?unmet&toolkit&action&limit&cursor`: `unmet=true` those that found nothing, or nothing that was used, most asked for first. */
export interface SearchReportsPage {
  /** Whether texts are kept at all. */
  texts: SearchTexts;
  searches: SearchReport[];
  nextCursor?: string;
}

/** Who did it: somebody with an account, an admin key, or the command line on the data themselves. */
export interface Actor {
  kind: 'person' | 'key' | 'command';
  /** Account or key; absent for the command line. */
  id?: string;
  name: string;
}

export const AUDITED = [
  'key.create',
  'key.change',
  'key.rotate',
  'key.revoke',
  'invitation.create',
  'invitation.withdraw',
  'person.join',
  'person.role',
  'person.remove',
  'person.password',
  'person.link',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'session.begin',
  'session.end',
  'settings.change',
  'toolkit.remove',
] as const;

export interface AuditEntry {
  id: string;
  at: string;
  actor: Actor;
  what: (typeof AUDITED)[number];
  /** Id of the key, person, invitation, passkey, setting or toolkit; of sessions the person's. */
  subject: string;
  /** What it was called, and what changed from what to what; never a secret. */
  details: Record<string, unknown>;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  nextCursor?: string;
}

export type ContentKept = 'off' | 'errors' | 'all';
export type SearchTexts = 'off' | 'unmet' | 'all';

/** What an owner can change while the service runs. */
export interface Settings {
  /** Payloads and results of calls: of none, of those that failed, of all. */
  content: ContentKept;
  /** Bytes that are kept of one payload or result at most. */
  contentBytes: number;
  /** Members of payloads and results whose values are never kept, by name, in any case, at any depth. */
  redact: string[];
  /** Days after which records of calls are deleted. */
  retentionDays: number;
  /** Texts of searches: of none, of those that found nothing, of all. */
  searchTexts: SearchTexts;
}

export const DEFAULT_SETTINGS: Settings = {
  content: 'off',
  contentBytes: 16_384,
  redact: [
    'password',
    'passwd',
    'secret',
    'token',
    'access_token',
    'refresh_token',
    'api_key',
    'apiKey',
    'authorization',
    'cookie',
    'card_number',
  ],
  retentionDays: 30,
  searchTexts: 'off',
};

export interface SettingsPage {
  settings: Settings;
  /** What the service was started with, and what that means. */
  fixed: { name: string; value: string; meaning: string }[];
}

/**
 * What `GET /v1/events` tells: something changed, so look again. First what changed in the ten seconds before, then at most one event a second; it
 * says what, and nothing of it. `counts` are those of calls, which follow the calls within about a second.
 */
export interface ChangeEvent {
  changed: ('invocations' | 'counts' | 'toolkits' | 'keys' | 'people' | 'settings' | 'searches')[];
}
