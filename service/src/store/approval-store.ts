/**
 * Stored questions to a person about calls. Payloads are sealed; the store sees no key.
 *
 * Units:  times are milliseconds since the epoch, by the database's clock, as those of connections.
 * Errors: as in `store.ts`.
 */
import type { ApprovalStatus } from '#sdk/protocol/approvals';
import type { ApprovalDecider } from '#sdk/protocol/rules';

export interface NewCallApproval {
  /** Ids sort by time. */
  id: string;
  agentKeyId: string;
  /** The grant of the OAuth client that asked; null for any other caller. */
  grantId: string | null;
  /** The user that decides whether two calls are equal. */
  userId: string | null;
  sessionId: string | null;
  /** Action id. */
  action: string;
  actionVersion: string;
  /** SHA-256 of action, payload, user and chosen connection. */
  requestHash: string;
  /** The payload; null after the call ran, and in data whose key is lost. */
  payload: { sealed: string; sealedBy: string } | null;
  /** The most that the call costs, in millionths; null for a free one. */
  price: bigint | null;
  currency: string | null;
  /** The account with which the call would act. `caller`: its caller sends it. */
  connection: string | null;
  /** The name of the connection, where the caller chose one. */
  connectionName: string | null;
  /** JSON of the rule that asks; null for a default by hint. */
  rule: string | null;
  decider: ApprovalDecider;
  timeoutMs: number;
  /** JSON of an `AskingCaller`. */
  caller: string;
}

export interface CallApprovalRecord extends NewCallApproval {
  status: ApprovalStatus;
  createdAt: number;
  expiresAt: number;
  /** The handle of the run. Set with the approval; null where the call needs its caller. */
  invocationId: string | null;
  /** True after a caller got the outcome of the run. */
  taken: boolean;
  decidedAt: number | null;
  /** Id of the account or key. */
  decidedBy: string | null;
  decidedByName: string | null;
  reason: string | null;
  /** When the run ended, or when it was clear that there would be none. */
  endedAt: number | null;
  /** Later calls of the session need no further approval until then. */
  sessionUntil: number | null;
  told: ToldApproval | null;
  tellAt: number | null;
  tellTries: number;
  /** The time of this read. */
  readAt: number;
}

/** The last message about an approval that the webhook accepted. */
export type ToldApproval = 'requested' | 'decided';

export interface ApprovalChange {
  status: ApprovalStatus;
  decidedBy?: string;
  decidedByName?: string;
  reason?: string | undefined;
  invocationId?: string | undefined;
  /** Approves later calls of the session for so long. */
  sessionMs?: number | undefined;
}

export interface ApprovalQuery {
  /** Undefined: of all keys. */
  agentKeyIds?: readonly string[] | undefined;
  statuses?: readonly ApprovalStatus[] | undefined;
  /** Only those that approve later calls of a session. */
  standing?: boolean | undefined;
  limit: number;
  /** Approvals before this id. */
  before?: string | undefined;
}

export interface ActionHistory {
  calls: number;
  ok: number;
  failed: number;
  /** Start of the last one. */
  lastAt: number | null;
}

export interface CallApprovalStore {
  /**
   * Adds a pending approval. `exists`: an equal call has one already, also when both came at once. `full`: the key has `maxPending`, which calls at
   * once may exceed slightly.
   */
  add(approval: NewCallApproval, options: { forMs: number; maxPending: number }): Promise<'added' | 'exists' | 'full'>;
  find(id: string): Promise<CallApprovalRecord | undefined>;
  /** The keys that have an approval. */
  agentKeyIds(): Promise<string[]>;
  /** The last 20 for equal calls, newest first. */
  ofEqualCalls(agentKeyId: string, requestHash: string): Promise<CallApprovalRecord[]>;
  /** Approvals of the session's calls of the action that hold for later ones. */
  ofSession(agentKeyId: string, sessionId: string, action: string): Promise<CallApprovalRecord[]>;
  /** Adds the idempotency key of a call that asked, unless there are `max`. */
  addCaller(id: string, idempotencyKey: string, max: number): Promise<void>;
  hasCaller(id: string, idempotencyKey: string): Promise<boolean>;
  /**
   * Sets the status, the time of the decision, and for a status without a run the end. False when the approval has another status than `from`, or
   * `from` is `pending` and its time is over: of concurrent changes one succeeds.
   */
  change(id: string, from: ApprovalStatus, change: ApprovalChange): Promise<boolean>;
  /** The run ended: the payload is removed. */
  ended(id: string): Promise<void>;
  /** Gives the outcome to one caller. False when one has it already. */
  take(id: string): Promise<boolean>;
  /** Ends the approval of later calls of the session. False when there is none. */
  endSession(id: string): Promise<boolean>;
  /** Newest first. */
  list(query: ApprovalQuery): Promise<CallApprovalRecord[]>;
  /** Pending ones that are older than `ageMs`, of which `withdrawEnded` finds no fault. */
  pending(ageMs: number): Promise<Pick<CallApprovalRecord, 'id' | 'action' | 'actionVersion'>[]>;
  /** Approved ones that have not started, or started ones whose run has ended since; oldest first. */
  unfinished(status: 'approved' | 'used', limit: number): Promise<CallApprovalRecord[]>;
  /** Changes pending ones whose time is over to `expired`, and returns their ids. */
  expire(): Promise<string[]>;
  /** Changes pending ones whose key or grant has ended to `withdrawn`, and returns their ids. */
  withdrawEnded(): Promise<string[]>;
  /** Removes approvals that ended more than `ageMs` ago. Returns how many. */
  remove(ageMs: number): Promise<number>;
  /** The last 1,000 calls of the action with the key, at most `ageMs` old. */
  history(agentKeyId: string, action: string, ageMs: number): Promise<ActionHistory>;
  /** True if a message is due. */
  hasMessages(): Promise<boolean>;
  /** Claims approvals whose message is due, for `leaseMs`: no other node sends them meanwhile. */
  claimMessages(limit: number, leaseMs: number): Promise<CallApprovalRecord[]>;
  /** The webhook accepted the message. */
  messageSent(id: string, told: ToldApproval): Promise<void>;
  /** The webhook did not accept the message: it is due again in `againMs`. Undefined: it is not needed any more. */
  messageFailed(id: string, againMs: number | undefined): Promise<void>;
}
