/** The approvals of calls that a rule asks about, as calls use them. */
import type { JsonObject } from '#sdk/protocol/json-object';
import type { ApprovalDecider, Rule } from '#sdk/protocol/rules';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { Hold } from '../store/store';

/** The beginning of the idempotency keys of approved calls: `approval/<id>`. */
export const APPROVAL_KEYS = 'approval/';

/** The account of a call whose caller sends the credential. */
export const CALLER_ACCOUNT = 'caller';

/** A call that a rule asks about, after all other checks and before its claim. */
export interface ApprovalAsk {
  key: CallingKey;
  callerIds: CallerIds | undefined;
  /** The user that decides whether two calls are equal, as `requestHash` has it. */
  userId: string | undefined;
  actionId: string;
  /** The version of the action that the call would run. */
  actionVersion: string;
  payload: JsonObject;
  /** SHA-256 of action, payload, user and chosen connection: equal calls share a question and its one run. */
  requestHash: string;
  hold: Hold | undefined;
  /** The account with which the call would act, such as `con_1 octocat`, or `CALLER_ACCOUNT`: then the call cannot run without its caller. */
  connection: string | undefined;
  connectionName: string | undefined;
  decidedBy: ApprovalDecider;
  rule: Rule | undefined;
  idempotencyKey: string | undefined;
  /** The search that led to the call, according to its caller. */
  searchId?: string | undefined;
  /** The program that made the call. */
  madeBy?: string | undefined;
  /** The call is not made yet: this takes no outcome from it, and begins no run. */
  isBefore?: true | undefined;
  /** The deadline that the call has once it runs. */
  timeoutMs: number;
  /** How long the caller waits for the decision. */
  waitMs: number;
  /** Calls `listener` when the wait has to end: the caller disconnects, or the node stops. The answer is then APPROVAL_REQUIRED. */
  onDisconnect(listener: () => void): void;
}

/** `run`: the caller joins the one run of the approval. `free`: the call needs no further approval. */
export type Approved = { free: true } | { run: JoinedRun };

export interface JoinedRun {
  /** The handle. */
  id: string;
  /** It goes on without its callers: they follow it, and none of them starts it. */
  isAlone: boolean;
  /** The run's own: it makes one run of all that join it. */
  idempotencyKey: string;
  actionVersion: string;
  /** Amount in millionths. */
  maxPayment: bigint;
  /** Records that a caller has the result: no further equal call gets it. */
  delivered(): void;
}

export interface CallApprovals {
  /** Whether the key has asked within a day: then its calls that no rule asks about may belong to an approval, too. */
  hasAsked(agentKeyId: string): boolean;
  /**
   * Resolves with the run of a call that no rule asks about any more: a retry must not run a second time. Undefined if there is none; a question
   * that waits for the same call is then withdrawn, because the call runs.
   */
  settle(ask: ApprovalAsk): Promise<Approved | undefined>;
  /** Rejects with APPROVAL_REQUIRED, APPROVAL_DENIED, or RATE_LIMITED when too many questions of the key wait. */
  require(ask: ApprovalAsk): Promise<Approved>;
}
