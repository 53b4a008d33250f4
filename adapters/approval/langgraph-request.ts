/** A graph's question to a human, and the answer: the `HITLRequest` and `HITLResponse` of `langchain`'s `humanInTheLoopMiddleware`, with ids. */
import type { Payment } from 'svc-sdk';

/** The value of the interrupt. */
export interface ApprovalRequest {
  actionRequests: ActionRequest[];
  reviewConfigs: { actionName: string; allowedDecisions: ApprovalDecision['type'][]; argsSchema: Record<string, unknown> }[];
}

export interface ActionRequest {
  /** Action id. */
  name: string;
  /** The decoded payload. */
  args: Record<string, unknown>;
  /** The description of the action with its price, and below it the call, with escapes for characters that no screen shows. */
  description: string;
  toolCallId: string | undefined;
  /** The most that the call costs once it is approved. Absent: it is free. */
  payment?: Payment;
  /** The version of the action: an approved call runs no other. */
  version?: string;
}

/** The value that resumes the graph: one decision for each of `actionRequests`, in their order. */
export interface ApprovalResponse {
  decisions: ApprovalDecision[];
}

export type ApprovalDecision =
  | { type: 'approve' }
  /** Another payload for the same action. */
  | { type: 'edit'; editedAction: { name: string; args: Record<string, unknown> } }
  /** The message is for the model. */
  | { type: 'reject'; message?: string };
