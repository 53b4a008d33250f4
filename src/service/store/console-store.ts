/**
 * What people see and change in the console, as the store keeps it: accounts, invitations, audit, settings, counts of calls and searches.
 *
 * Units:  times are milliseconds since the epoch, unless said otherwise.
 * Errors: as in `store.ts`.
 */
import type { Kysely } from 'kysely';
import type { Actor, AuditEntry, Role } from '../../protocol/admin';
import type { Tables } from './sql/tables';

/** What the account library keeps, which brings SQL of its own for Kysely. */
export type AccountTables = Pick<Tables, 'people' | 'sessions' | 'logins' | 'passkeys' | 'verifications'>;

export interface AccountStore {
  /** For the account library alone; everybody else has the methods. */
  readonly tables: Kysely<AccountTables>;
  /** Oldest first. */
  list(): Promise<PersonRecord[]>;
  find(id: string): Promise<PersonRecord | undefined>;
  findByEmail(email: string): Promise<PersonRecord | undefined>;
  /** False when there is no such account, or it is the last owner's and would be no owner's any more. */
  changeRole(id: string, role: Role): Promise<boolean>;
  /** With sessions, logins and passkeys. False when there is no such account, or it is the last owner's. */
  remove(id: string): Promise<boolean>;
  invite(invitation: InvitationRecord): Promise<void>;
  /** Those that can be used, newest first. */
  invitations(now: number): Promise<InvitationRecord[]>;
  /** The invitation with this SHA-256 (lower-case hex) of its token, if it can be used. */
  invitation(hash: string, now: number): Promise<InvitationRecord | undefined>;
  /** Marks it used; false when it was used, withdrawn or expired before: of two at once one gets it. */
  useInvitation(id: string, now: number): Promise<boolean>;
  /** Undoes `useInvitation`, for an account that could not be made after all. */
  returnInvitation(id: string): Promise<void>;
  /** False when there is none that can be used. */
  withdrawInvitation(id: string, now: number): Promise<boolean>;
}

export interface PersonRecord {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  role: Role;
  createdAt: number;
  /** Of their last session; null without any. */
  lastSeenAt: number | null;
}

export interface InvitationRecord {
  /** `inv_…` */
  id: string;
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  role: Role;
  name: string | null;
  /** The account that gets a new password. */
  personId: string | null;
  /** The account of who made it, with a session or an admin key; null for an admin key that is nobody's, and for the command line. */
  madeBy: string | null;
  createdAt: number;
  expiresAt: number;
}

/** Ids sort as things happened. */
export interface AuditRecord extends Omit<AuditEntry, 'at'> {
  at: number;
  actor: Actor;
}

export interface AuditStore {
  insert(entry: AuditRecord): Promise<void>;
  /** Newest first, older than `before` (an id). */
  list(query: { limit: number; before?: string | undefined }): Promise<AuditRecord[]>;
}

/** The setting that signs the cookies of sessions: in no export, so that nobody who gets one can make any. */
export const AUTH_SECRET = 'auth-secret';

/** The setting that signs agent tokens: in no export, likewise. */
export const TOKEN_SECRET = 'token-secret';

export interface SettingStore {
  all(): Promise<{ name: string; value: unknown }[]>;
  /** Replaces them. */
  put(settings: readonly { name: string; value: unknown }[], at: number): Promise<void>;
  /** The value of this name; when there is none, it becomes `value`. For what all nodes must agree on, such as a secret. */
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
  /** When the step begins: a multiple of it since the epoch. */
  start: number;
  /** `OK` or an error code. */
  code: string;
  /** Of the duration: docs in `records/duration-buckets.ts`. */
  bucket: number;
  calls: number;
}

export interface CountStore {
  /** Adds to what is there, in one transaction. */
  add(counts: readonly CallCount[]): Promise<void>;
  /** Of each step that has calls, by code and bucket: the sums over these names. In order of time. */
  series(query: CountQuery & { names: readonly string[] }): Promise<Pick<CallCount, 'start' | 'code' | 'bucket' | 'calls'>[]>;
  /** Over the whole time, by name, code and bucket; of these names, or of all. `fromBucket` leaves out what was shorter. */
  totals(query: TotalsQuery): Promise<Pick<CallCount, 'name' | 'code' | 'bucket' | 'calls'>[]>;
  /** Over the whole time, by name. */
  sums(query: CountQuery): Promise<CallSum[]>;
  /** Removes steps that began before. Returns how many rows. */
  prune(query: { step: CountStep; before: number }): Promise<number>;
  /** Removes what was counted for a toolkit and its actions. */
  removeToolkit(toolkitId: string): Promise<void>;
}

export interface CountQuery {
  dimension: CountDimension;
  step: CountStep;
  /** Steps that begin at `from` or later, and before `to`. */
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
  /** Of them. */
  errors: number;
}

/** A process of a toolkit was connected then. */
export interface ToolkitSighting {
  toolkitId: string;
  at: number;
}

export interface SightingStore {
  /** In one transaction; an earlier time replaces no later one. */
  put(sightings: readonly ToolkitSighting[]): Promise<void>;
  /** When a process of these toolkits was connected last; those that never were are absent. */
  lastSeen(toolkitIds: readonly string[]): Promise<Map<string, number>>;
  remove(toolkitId: string): Promise<void>;
}

/** What came of the searches for one text on one day (UTC). */
export interface SearchCount {
  /** The beginning of the day. */
  day: number;
  query: string;
  /** Undefined when `action` is there. */
  agentKeyIds?: readonly string[];
  /** An action that was shown; absent for the searches themselves. */
  action?: string;
  /** Searches; with `action` those that showed it. */
  searches: number;
  empty: number;
  used: number;
  lastAt: number;
}

export interface SearchSummary {
  query: string;
  searches: number;
  /** Different agent keys. */
  keys: number;
  empty: number;
  used: number;
  lastAt: number;
  actions: { action: string; shown: number; used: number }[];
}

export interface SearchCountStore {
  /** Adds to what is there, in one transaction. */
  add(counts: readonly SearchCount[]): Promise<void>;
  /**
   * Over all days: those asked by most keys first, then most often. `unmet`: only those of which none was used. `actions`: only those that showed
   * one of these. At most 20 actions each.
   */
  list(query: { limit: number; offset: number; unmet: boolean; actions?: readonly string[] | undefined }): Promise<SearchSummary[]>;
  prune(before: number): Promise<void>;
  /** Removes which actions of a toolkit were shown and used; the searches stay. */
  removeToolkit(toolkitId: string): Promise<void>;
  /** Removes everything: for when texts shall not be kept any more. */
  clear(): Promise<void>;
}

/** Which calls; all that are given must hold. */
export interface InvocationFilter {
  agentKeyIds?: readonly string[] | undefined;
  /** Action ids. */
  actions?: readonly string[] | undefined;
  toolkits?: readonly string[] | undefined;
  /** `ok`, `error` (any code but OK), `running`, or a code. */
  outcome?: string | undefined;
  /** Started at `from` or later, and before `to`. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only what one may see: calls of these keys, and calls of these toolkits. Undefined sees everything. */
  visible?: { agentKeyIds: readonly string[]; toolkits: readonly string[] } | undefined;
}

export interface InvocationDetails {
  id: string;
  /** JSON text of `TimelineEntry[]`. */
  timeline: string;
  /** JSON texts of what may be kept; null when it may not. */
  payload: string | null;
  result: string | null;
}
