/**
 * Calls that go on without their callers: long ones, and those that run because a person approved them.
 *
 * Rule: such a call is stored, with its payload, before it begins. Its idempotency key makes it run once, at whichever node goes on with it.
 */
import type { ApprovedRun, ApprovedRuns } from '../../approvals/approved-runs';
import type { AskingRule } from '../../rules/call-rules';

export interface DetachedCall
  extends Omit<ApprovedRun, 'connectionNames' | 'maxPayment' | 'actionVersion' | 'approvalId' | 'approvedRule'> {
  /** Toolkit id -> the kept connection that the caller chose. */
  connectionNames?: ReadonlyMap<string, string> | undefined;
  /** Millionths. */
  maxPayment?: bigint | undefined;
  actionVersion?: string | undefined;
  /** The approval because of which it runs: its rules ask no further. */
  approvalId?: string | undefined;
  approvedRule?: AskingRule | undefined;
}

export interface DetachedRunner {
  /**
   * Resolves with the handle when the call is durable: that of the earlier one for a retry with the same idempotency key. Rejects with
   * IDEMPOTENCY_MISMATCH when that one has another `requestHash`, and with RATE_LIMITED when the key has too many.
   */
  start(call: DetachedCall): Promise<string>;
  /** Rejects with NOT_FOUND for a call of another key or user. */
  follow: ApprovedRuns['follow'];
  /** Cancels the call of whichever key, and resolves with whether such a call went on. */
  cancelRunning(id: string): Promise<boolean>;
}
