/** A turn: what one person wrote, and everything up to the reply. */
import type { MessageContext } from '../chat/message-context';

export type TurnState = 'queued' | 'running' | 'asking' | 'replying' | 'done';

export interface AgentTurn {
  readonly id: string;
  readonly clientId: string;
  /** When the message came in, in milliseconds since 1970. */
  readonly at: number;
  /** Starts without progress, this one included. */
  readonly attempts: number;
  ctx: MessageContext;
  state: TurnState;
  approval: Approval | undefined;
  /** Why it ended early, as `<code>: <words>`. */
  error: string | undefined;
  /** How many messages are written. */
  written: number;
}

/** The question about the calls of one step. Stored as JSON, the same in all languages. */
export interface Approval {
  question_id: string;
  text: string;
  /** Index of each call that needs approval -> the price that the person saw, `0` if it is free. */
  calls: Record<string, string>;
  /** Index of each call of which nobody knows whether it needs approval -> the error that the model reads: the call does not run. */
  failed?: Record<string, { code: string; message: string }>;
  /** Index of each call of the step -> the version of its action that was decided about. Absent: asked by svc-sdk before 0.14. */
  versions?: Record<string, string>;
  /** When silence becomes a no, in milliseconds since 1970. */
  until: number;
  /** True once the question was sent. */
  asked?: boolean;
  /** The value that `askApproval` of the client returned. */
  shown?: unknown;
  /** Absent while nobody has answered. */
  approved?: boolean;
}

/** Another process, or a `/stop`, has changed the turn: nothing was written. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
}
