/** A turn: one message of a person, and all messages up to the reply. */
import type { MessageContext } from '../chat/message-context';

export type TurnState = 'queued' | 'running' | 'asking' | 'replying' | 'done';

export interface AgentTurn {
  readonly id: string;
  readonly clientId: string;
  /** Time at which the message was received, in milliseconds since 1970. */
  readonly at: number;
  /** Number of starts without progress, including the current one. */
  readonly attempts: number;
  ctx: MessageContext;
  state: TurnState;
  approval: Approval | undefined;
  connecting: Connecting | undefined;
  deciding: Deciding | undefined;
  /** Why the turn ended early, as `<code>: <words>`. */
  error: string | undefined;
  /** Number of written messages. */
  written: number;
}

/** The question about the calls of one step. Stored as JSON, the same in all languages. */
export interface Approval {
  question_id: string;
  text: string;
  /** Index of each call that needs approval -> the shown price, `0` for a free call. */
  calls: Record<string, string>;
  /** Index of each call whose need for approval is unknown -> the error for the model. Such calls do not run. */
  failed?: Record<string, { code: string; message: string }>;
  /** Index of each call that needs approval -> the version of its action that was shown. Absent: stored by svc-sdk before 0.14. */
  versions?: Record<string, string>;
  /** Deadline of the answer, in milliseconds since 1970. No answer refuses the calls. */
  until: number;
  /** True once the question was sent. */
  asked?: boolean;
  /** The return value of the client's `askApproval`. */
  shown?: unknown;
  /** Absent until the answer. */
  approved?: boolean;
}

/** The account that a call of the turn needs, and that its person was asked to connect. Stored as JSON, the same in all languages. */
export interface Connecting {
  toolkit: string;
  /** End of the wait, in milliseconds since 1970. */
  until: number;
  /** True once the link was sent. The link is not stored: after a crash before, the same call gives another one. */
  asked?: boolean;
  /** The prompt with the result of the last code, until it was sent. */
  note?: 'reply.connect.wrong' | 'reply.connect.later';
  /** The number of wrong codes. */
  wrong?: number;
  /** Present when the wait ended without an account: no call of this turn asks for one again. */
  ended?: 'declined' | 'expired';
}

/** The call of a step that a person elsewhere has to approve, such as the owner of the key in the console. Stored as JSON, the same in all languages. */
export interface Deciding {
  question_id: string;
  /** The call in its step. */
  index: number;
  /** `apr_…` */
  handle: string;
  /** Begin and end of the wait, in milliseconds since 1970. */
  since: number;
  until: number;
  /** True once the chat has the message about the wait. */
  shown?: boolean;
  /** True once it was decided. A turn that waited may be older than others. */
  ended?: boolean;
  /** Index of each call that was refused -> the error for the model. Such calls do not run. */
  refused?: Record<string, { code: string; message: string }>;
}

/** Another process or a `/stop` has changed the turn. The write did nothing. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
}
