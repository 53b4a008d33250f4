/** The runs of approved calls, which go on without their callers. */
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { AskingRule } from '../rules/call-rules';

export interface ApprovedRun {
  /** The handle: `inv_…`. */
  id: string;
  key: CallingKey;
  callerIds: CallerIds | undefined;
  actionId: string;
  payloadJson: string;
  idempotencyKey: string;
  requestHash: string;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
  connectionNames: ReadonlyMap<string, string> | undefined;
  /** Amount in millionths. */
  maxPayment: bigint;
  actionVersion: string;
  approvalId: string;
  /** The search that led to the call. */
  searchId?: string | undefined;
  /** The program that made it. */
  madeBy?: string | undefined;
  /** The rule that asked. */
  approvedRule: AskingRule;
}

/** 200: JSON text of an `InvokeResponse`. 202: of an `UnfinishedInvocation`. */
export interface FollowedRun {
  status: 200 | 202;
  json: string;
}

export interface ApprovedRuns {
  /** Resolves when the run is durable. A second start of the same run changes nothing. */
  start(run: ApprovedRun): Promise<string>;
  /** Waits up to `waitMs` for the end. Rejects with the error of the call. */
  follow(id: string, key: CallingKey, options: { waitMs: number; onDisconnect(listener: () => void): void }): Promise<FollowedRun>;
  cancel(id: string, key: CallingKey): Promise<void>;
}
