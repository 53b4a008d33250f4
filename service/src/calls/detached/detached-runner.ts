/**
 * Calls that go on without their callers: long ones, and those that run because a person approved them.
 *
 * Rule: such a call is stored, with its payload, before it begins. Its idempotency key makes it run once, at whichever node goes on with it.
 */
import type { CallingKey } from '../../keys/agent-tokens';
import type { CallerIds } from '../../keys/caller-ids';

export interface DetachedCall {
  /** The handle: `inv_…`. A second `start` of the same id or idempotency key changes nothing. */
  id: string;
  key: CallingKey;
  callerIds: CallerIds | undefined;
  actionId: string;
  payloadJson: string;
  idempotencyKey: string;
  /** SHA-256 of action, payload, user and chosen connection. */
  requestHash: string;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
  /** Toolkit id -> the kept connection that the caller chose. */
  connectionNames?: ReadonlyMap<string, string> | undefined;
  /** Millionths. */
  maxPayment?: bigint | undefined;
  actionVersion?: string | undefined;
  /** The approval because of which it runs: its rules ask no further. */
  approvalId?: string | undefined;
  searchId?: string | undefined;
}

/** 200: JSON text of an `InvokeResponse`. 202: of an `UnfinishedInvocation`. */
export interface FollowedCall {
  status: 200 | 202;
  json: string;
}

export interface DetachedRunner {
  /**
   * Resolves with the handle when the call is durable: that of the earlier one for a retry with the same idempotency key. Rejects with
   * IDEMPOTENCY_MISMATCH when that one has another `requestHash`, and with RATE_LIMITED when the key has too many.
   */
  start(call: DetachedCall): Promise<string>;
  /** Waits up to `waitMs` for the end. Rejects with the error of the call, and with NOT_FOUND for a call of another key or user. */
  follow(id: string, key: CallingKey, options: { waitMs: number; onDisconnect(listener: () => void): void }): Promise<FollowedCall>;
}
