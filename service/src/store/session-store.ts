/**
 * Sums of conversations and of end users. Ids of sessions and users are texts of callers, so each sum belongs to the agent key that sent them.
 *
 * Units:  times are milliseconds since the epoch; costs are millionths.
 * Errors: as in `store.ts`.
 */

import type { ActivitySort } from '#sdk/protocol/admin';

/** The requests of a session or a user, added up. As an addition, each number may be negative. */
export interface Activity {
  firstAt: number;
  lastAt: number;
  searches: number;
  /** Searches that led to no call. */
  inVain: number;
  calls: number;
  errors: number;
  /** The charges of its paid calls. */
  cost: bigint;
}

export interface UsedTokens {
  input: number;
  /** A part of the input. */
  cached: number;
  output: number;
}

/** A number to add to the sums of a session. */
export interface SessionAddition extends Activity {
  agentKeyId: string;
  sessionId: string;
  /** Replaces the user of the session, unless null. */
  userId: string | null;
  /** The call that ended last; null: none has ended. */
  lastCall: { at: number; code: string } | null;
}

/** A number to add to the sums of a user in a day. */
export interface UserAddition extends Activity {
  agentKeyId: string;
  userId: string;
  /** Start of the day, UTC. */
  day: number;
}

export interface UsageRecord {
  agentKeyId: string;
  sessionId: string;
  userId: string | null;
  /** Unique within a key's session. */
  id: string;
  /** '' where the text may not be stored. */
  model: string;
  tokens: UsedTokens;
  at: number;
}

export interface SessionRecord extends Activity {
  agentKeyId: string;
  sessionId: string;
  userId: string | null;
  tokens: UsedTokens;
  /** The code of the call that ended last; null: none has ended. */
  lastCode: string | null;
}

export interface UserRecord extends Activity {
  userId: string;
  tokens: UsedTokens;
}

export interface UserDay extends Omit<Activity, 'firstAt' | 'lastAt'> {
  /** Start of the day, UTC. */
  day: number;
  tokens: UsedTokens;
}

export interface ModelTokens {
  model: string;
  tokens: UsedTokens;
}

interface ActivityPage {
  sort: ActivitySort;
  order: 'asc' | 'desc';
  limit: number;
  /** Only those of these agent keys. */
  agentKeyIds?: readonly string[] | undefined;
  /** Last activity at `from` or later, before `to`. */
  from?: number | undefined;
  to?: number | undefined;
  /** A part of the id, in any case. */
  text?: string | undefined;
}

export interface SessionListQuery extends ActivityPage {
  userId?: string | undefined;
  /** `ok`: no call failed; `error`: at least one failed; `endedInError`: the last one failed. */
  outcome?: 'ok' | 'error' | 'endedInError' | undefined;
  /** Only sessions with a search that led to no call. */
  inVain?: true | undefined;
  dearerThan?: bigint | undefined;
  /** The last session of the page before, with its value of `sort`. */
  after?: { value: string; agentKeyId: string; sessionId: string } | undefined;
}

export interface UserListQuery extends ActivityPage {
  after?: { value: string; userId: string } | undefined;
}

export interface SessionSumStore {
  /** Adds to the stored sums, in one transaction. */
  add(additions: { sessions: readonly SessionAddition[]; users: readonly UserAddition[] }): Promise<void>;
  /** Stores reports of tokens and adds them to the sums, in one transaction. One whose id is stored already changes nothing. */
  addUsage(usage: readonly UsageRecord[]): Promise<void>;
  list(query: SessionListQuery): Promise<SessionRecord[]>;
  /** The sums of a session, for each agent key that sent its id. */
  find(sessionId: string, agentKeyIds?: readonly string[]): Promise<SessionRecord[]>;
  users(query: UserListQuery): Promise<UserRecord[]>;
  user(userId: string, agentKeyIds?: readonly string[]): Promise<UserRecord | undefined>;
  /** Oldest first. */
  daysOf(userId: string, agentKeyIds?: readonly string[]): Promise<UserDay[]>;
  /** How many sessions have each of these users as their last one. */
  sessionsOf(userIds: readonly string[], agentKeyIds?: readonly string[]): Promise<Map<string, number>>;
  /** The tokens of a session or a user by model, the most tokens first. */
  models(of: { sessionId: string } | { userId: string }, agentKeyIds?: readonly string[]): Promise<ModelTokens[]>;
  /** Removes the names of all models; their tokens stay. */
  forgetModels(): Promise<void>;
  /** Removes sessions and users without activity since `before`, and reports of tokens from before. */
  prune(before: number): Promise<void>;
}
