/** Approvals: calls that a person has to decide about before they run. docs/protocol.md, section 12. */
import type { JsonObject } from './json-object';
import type { ApprovalDecider, Rule } from './rules';

/**
 * `pending`:   waits for a decision.
 * `approved`:  will run.
 * `used`:      runs, or has run: once.
 * `denied`:    a person said no. The same call is refused for ten minutes.
 * `expired`:   no decision in time.
 * `withdrawn`: the action, its price, a rule, the key or the connection has changed since. The same call asks anew.
 */
export type ApprovalStatus = 'pending' | 'approved' | 'used' | 'denied' | 'expired' | 'withdrawn';

export const APPROVAL_STATUSES: readonly ApprovalStatus[] = ['pending', 'approved', 'used', 'denied', 'expired', 'withdrawn'];

/** `approval` of an error with the code APPROVAL_REQUIRED or APPROVAL_DENIED. */
export interface RequiredApproval {
  /** `apr_…`. Also a handle: `GET /v1/invocations/<id>` gives the result once the call has run. */
  id: string;
  status: ApprovalStatus;
  decidedBy: ApprovalDecider;
  /** RFC 3339. */
  expiresAt: string;
  /** The page of the console where people decide. Absent without a console. */
  url?: string;
  /** This very request made the question. Absent: it was there before. */
  isNew?: true;
  /** Why it was denied, in the words of the person who decided. */
  reason?: string;
}

/** `POST /v1/approvals/<id>`. */
export interface DecideRequest {
  decision: 'approve' | 'deny';
  /** The agent reads it. At most 1,000 characters. */
  reason?: string;
  /**
   * Later calls of the same action with the same key, user and session need no further approval for so many seconds, at most 86,400. It belongs to
   * `approve`, and needs a call that names a session.
   */
  sessionSeconds?: number;
}

/** An approval as people and admin keys see it. Times are RFC 3339. */
export interface ApprovalInfo {
  id: string;
  status: ApprovalStatus;
  decidedBy: ApprovalDecider;
  /** Action id. */
  action: string;
  /** The whole payload that would run. Absent in lists, and after the call ran. */
  payload?: JsonObject;
  key: { id: string; name: string };
  /** The user of the call, as its caller names them. */
  user?: string;
  /** The conversation of the call, as its caller names it. */
  session?: string;
  /** The most that the call costs. */
  payment?: { amount: string; currency: string };
  /** The account with which the call would act, as its provider names it. */
  account?: string;
  /** The rule that asks. Absent: a default by hint, or the app itself. */
  rule?: Rule;
  createdAt: string;
  expiresAt: string;
  decidedAt?: string;
  /** Name of the person or key. */
  decidedByName?: string;
  reason?: string;
  /** The handle of the call that ran. */
  invocationId?: string;
  /** Later calls of the session need no approval until then. */
  sessionUntil?: string;
}
