/**
 * Stored data of the console: accounts, invitations, audit, settings, counts of calls and searches.
 *
 * Units:  times are milliseconds since the epoch, unless noted otherwise.
 * Errors: as in `store.ts`.
 */
import type { Kysely } from 'kysely';
import type { Actor, AuditEntry, Role } from '#sdk/protocol/admin';
import type { Tables } from './sql/tables';

/** Tables of the account library (better-auth), which queries them itself through Kysely. */
export type AccountTables = Pick<Tables, 'people' | 'sessions' | 'logins' | 'passkeys' | 'verifications'>;

export interface AccountStore {
  /** Only for the account library; other code uses the methods. */
  readonly tables: Kysely<AccountTables>;
  /** Oldest first. */
  list(): Promise<PersonRecord[]>;
  find(id: string): Promise<PersonRecord | undefined>;
  findByEmail(email: string): Promise<PersonRecord | undefined>;
  /** False when the account does not exist, or when the change would leave no owner. */
  changeRole(id: string, role: Role): Promise<boolean>;
  /** Removes the account with its sessions, logins, passkeys and connections. False when the account does not exist, or it is the last owner. */
  remove(id: string): Promise<boolean>;
  invite(invitation: InvitationRecord): Promise<void>;
  /** Usable invitations (unused, not expired), newest first. */
  invitations(now: number): Promise<InvitationRecord[]>;
  /** The usable invitation whose token has this SHA-256 (lower-case hex). */
  invitation(hash: string, now: number): Promise<InvitationRecord | undefined>;
  /** Marks it used. False when it is used, withdrawn or expired; of two concurrent calls one succeeds. */
  useInvitation(id: string, now: number): Promise<boolean>;
  /** Undoes `useInvitation`, when the account could not be created. */
  returnInvitation(id: string): Promise<void>;
  /** False when it is not usable. */
  withdrawInvitation(id: string, now: number): Promise<boolean>;
}

export interface PersonRecord {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  role: Role;
  createdAt: number;
  /** Time of the last session; null without one. */
  lastSeenAt: number | null;
}

export interface InvitationRecord {
  /** `inv_…` */
  id: string;
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  role: Role;
  name: string | null;
  /** The account whose password is reset; null for an invitation to a new account. */
  personId: string | null;
  /** The account that created it, by a session or an admin key; null for an admin key without an owner and for the command line. */
  madeBy: string | null;
  createdAt: number;
  expiresAt: number;
}

/** Ids sort by time. */
export interface AuditRecord extends Omit<AuditEntry, 'at'> {
  at: number;
  actor: Actor;
}

export type AuditHead = Pick<AuditRecord, 'id' | 'at' | 'actor' | 'what'>;

export interface AuditQuery {
  limit: number;
  /** Only these entries. */
  ids?: readonly string[] | undefined;
  /** Only older entries than this id. */
  before?: string | undefined;
  /** Only this entry and younger ones. */
  since?: string | undefined;
  /** Each word must be in the code, the subject, the actor or the details. */
  words?: string | undefined;
  /** Id of an account. */
  personId?: string | undefined;
  /** Codes of changes. */
  what?: readonly AuditEntry['what'][] | undefined;
  /** Only entries at `from` or later and before `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface AuditStore {
  insert(entry: AuditRecord): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Newest first, without the details: the part of an entry by which equal entries are grouped. */
  heads(query: AuditQuery): Promise<AuditHead[]>;
}

/** The setting that signs session cookies. Exports leave it out, so that an export cannot be used to forge sessions. */
export const AUTH_SECRET = 'auth-secret';

/** The setting that signs agent tokens. Exports leave it out too. */
export const TOKEN_SECRET = 'token-secret';

/** The setting that seals kept texts in a database without secrets keys. Exports leave it out, as they do the texts. */
export const KEPT_TEXT_SECRET = 'kept-text-secret';

/** The setting with the webhook of approvals and its sealed secret. Exports leave it out: its receiver may decide. */
export const APPROVAL_WEBHOOK = 'approval-webhook';

/** The setting with the targets of alerts and their sealed secrets. Exports leave it out, as they do the texts. */
export const ALERT_TARGETS = 'alert-targets';

/** The setting that hides the names of users from toolkits. Exports have it: the users of a toolkit keep their ids. */
export const USER_SECRET = 'user-secret';

export interface SettingStore {
  all(): Promise<{ name: string; value: unknown }[]>;
  /** Adds or replaces these settings. */
  put(settings: readonly { name: string; value: unknown }[], at: number): Promise<void>;
  /** Returns the stored value, or stores `value` if there is none. Used where all nodes must agree, such as for a secret. */
  putIfAbsent(name: string, value: unknown, at: number): Promise<unknown>;
}

export type CountDimension = 'all' | 'key' | 'toolkit' | 'action';

/** Seconds: a minute, an hour, a day (UTC). */
export type CountStep = 60 | 3_600 | 86_400;

export interface CallCount {
  dimension: CountDimension;
  /** '' for `all`, else an id. */
  name: string;
  step: CountStep;
  /** Start of the step: a multiple of its length since the epoch. */
  start: number;
  /** `OK` or an error code. */
  code: string;
  /** Duration bucket; see `records/duration-buckets.ts`. */
  bucket: number;
  calls: number;
}

export interface CountStore {
  /** Adds to the stored counts, in one transaction. */
  add(counts: readonly CallCount[]): Promise<void>;
  /** Sums over these names for each step that has calls, by code and bucket, in order of time. */
  series(query: CountQuery & { names: readonly string[] }): Promise<Pick<CallCount, 'start' | 'code' | 'bucket' | 'calls'>[]>;
  /** Sums over the whole time range, by name, code and bucket, of these names or of all. `fromBucket` leaves out shorter calls. */
  totals(query: TotalsQuery): Promise<Pick<CallCount, 'name' | 'code' | 'bucket' | 'calls'>[]>;
  /** Sums over the whole time range, by name. */
  sums(query: CountQuery): Promise<CallSum[]>;
  /** Removes steps that began before `before`. Returns the number of removed rows. */
  prune(query: { step: CountStep; before: number }): Promise<number>;
  /** Removes the counts of a toolkit and its actions. */
  removeToolkit(toolkitId: string): Promise<void>;
}

export interface CountQuery {
  dimension: CountDimension;
  step: CountStep;
  /** Steps that begin at `from` or later and before `to`. */
  from: number;
  to: number;
}

export interface TotalsQuery extends CountQuery {
  names?: readonly string[] | undefined;
  fromBucket?: number | undefined;
}

export interface CallSum {
  name: string;
  calls: number;
  /** How many of the calls failed. */
  errors: number;
}

/** A time at which a process of the toolkit was connected. */
export interface ToolkitSighting {
  toolkitId: string;
  at: number;
}

export interface SightingStore {
  /** Stores them in one transaction. An earlier time never replaces a later one. */
  put(sightings: readonly ToolkitSighting[]): Promise<void>;
  /** The last connection of each toolkit; toolkits that never connected are absent. */
  lastSeen(toolkitIds: readonly string[]): Promise<Map<string, number>>;
  remove(toolkitId: string): Promise<void>;
}

/** Counts of the searches for one text on one day (UTC). */
export interface SearchCount {
  /** Start of the day. */
  day: number;
  query: string;
  /** Undefined when `action` is set. */
  agentKeyIds?: readonly string[];
  /** A listed action; absent for the searches themselves. */
  action?: string;
  /** Number of searches; with `action`, of those that listed it. */
  searches: number;
  empty: number;
  used: number;
  lastAt: number;
}

export interface SearchSummary {
  query: string;
  searches: number;
  /** Number of different agent keys. */
  keys: number;
  empty: number;
  used: number;
  lastAt: number;
  actions: { action: string; shown: number; used: number }[];
}

export interface SearchCountQuery {
  limit: number;
  offset: number;
  unmet: boolean;
  actions?: readonly string[] | undefined;
  sharedWith?: readonly string[] | undefined;
}

export interface SearchCountStore {
  /** Adds to the stored counts, in one transaction. */
  add(counts: readonly SearchCount[]): Promise<void>;
  /**
   * Sums over all days, ordered by number of keys, then of searches. `unmet`: only searches after which no action was used. `actions`: only
   * searches that listed one of these. `sharedWith`: only searches of several agent keys, or of one of these. At most 20 actions each.
   */
  list(query: SearchCountQuery): Promise<SearchSummary[]>;
  prune(before: number): Promise<void>;
  /** Removes the counts of a toolkit's actions; the searches stay. */
  removeToolkit(toolkitId: string): Promise<void>;
  /** Removes everything; used when the operator turns off the storage of texts. */
  clear(): Promise<void>;
}

/** A search of a session, or a call whose caller named a session or a user. */
export interface SessionRequest {
  /** Id of the call or of the search. */
  id: string;
  agentKeyId: string;
  sessionId: string | null;
  userId: string | null;
  /** The start of the call, or the time of the search. */
  at: number;
  /** The search that led to the request, according to its caller. */
  searchId: string | null;
  /** Text of a search; null for a call, and where it may not be stored. */
  query: string | null;
  /** Ids of the actions that the search showed, best first. Null for a call. */
  shown: readonly string[] | null;
  /** A person made the request in the console. Absent: the agent made it. */
  origin?: 'console' | undefined;
}

export interface SessionQuery {
  sessionId: string;
  /** Only requests of these keys. */
  agentKeyIds?: readonly string[] | undefined;
  /** Only later ones than this one. */
  after?: Pick<SessionRequest, 'at' | 'id'> | undefined;
  limit: number;
}

export interface SessionRequestStore {
  /** Stores them; one that is stored already stays as it is. */
  add(requests: readonly SessionRequest[]): Promise<void>;
  /** Oldest first. */
  list(query: SessionQuery): Promise<SessionRequest[]>;
  /** The requests by the id of their call; calls without session and user are absent. */
  ofCalls(ids: readonly string[]): Promise<Map<string, SessionRequest>>;
  /** Removes the texts of all searches. */
  forgetQueries(): Promise<void>;
  prune(before: number): Promise<void>;
}

/** All given conditions must match. */
export interface InvocationFilter {
  ids?: readonly string[] | undefined;
  /** Only calls in this session; only calls for this user. */
  sessionId?: string | undefined;
  userId?: string | undefined;
  /** Only calls that this program made: the id of a run of code. */
  madeBy?: string | undefined;
  /** `console`: only calls of people in the console. `agent`: all others. */
  origin?: 'console' | 'agent' | undefined;
  agentKeyIds?: readonly string[] | undefined;
  /** Action ids. */
  actions?: readonly string[] | undefined;
  toolkits?: readonly string[] | undefined;
  /** `ok`, `error` (any code but OK), `running`, or a code. */
  outcome?: string | undefined;
  /** Only failed calls with this code of their toolkit. */
  toolkitCode?: string | undefined;
  /** Calls that started at `from` or later and before `to`. */
  from?: number | undefined;
  to?: number | undefined;
  /** The calls that the reader may see: those of these keys and those of these toolkits. Undefined: all calls. */
  visible?: { agentKeyIds: readonly string[]; toolkits: readonly string[] } | undefined;
}

export interface InvocationDetails {
  id: string;
  /** JSON text of `TimelineEntry[]`. */
  timeline: string;
  /** JSON text; null when it may not be stored. The same for `result`. */
  payload: string | null;
  result: string | null;
}
