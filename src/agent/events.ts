/** The events of an agent. The library prints no output. */
import type { TokenCount } from './model/ask-model';

export type AgentEvent =
  | TurnStartEvent
  | TurnEndEvent
  | ModelErrorEvent
  | ReplyErrorEvent
  | MessageErrorEvent
  | HandlerErrorEvent
  | ApprovalsErrorEvent
  | ClientStateEvent;

interface TurnEvent {
  clientId: string;
  chatId: string;
  turnId: string;
}

export interface TurnStartEvent extends TurnEvent {
  type: 'turn-start';
}

export interface TurnEndEvent extends TurnEvent {
  type: 'turn-end';
  code: TurnCode;
  /** Since the message was received. */
  milliseconds: number;
  /** Sum over all model calls of this process for the turn; 0 if the model's server does not count tokens. */
  tokens: TokenCount;
}

/**
 * How a turn ended. `answered`: the model's own text. Otherwise the person read a fixed text: `model-failed`, `step-limit`, `time-out`, `stopped`,
 * `given-up` (four starts without progress, or older than 12 hours), `service-unreachable`. `not-sent`: the platform refused the reply.
 */
export type TurnCode =
  | 'answered'
  | 'model-failed'
  | 'step-limit'
  | 'time-out'
  | 'stopped'
  | 'given-up'
  | 'service-unreachable'
  | 'not-sent';

export interface ModelErrorEvent extends TurnEvent {
  type: 'model-error';
  model: string;
  error: Error;
  willRetry: boolean;
}

/** The platform refused a reply, a question or a partial text. Replies and questions are retried. */
export interface ReplyErrorEvent extends TurnEvent {
  type: 'reply-error';
  error: Error;
}

/** A client returned an invalid message, which is ignored. */
export interface MessageErrorEvent {
  type: 'message-error';
  clientId: string;
  error: Error;
}

/** A function of the program threw. An error of `accept` refuses the message, an error of `approve` refuses the call. */
export interface HandlerErrorEvent {
  type: 'handler-error';
  handler: 'accept' | 'approve';
  error: Error;
}

/** The service refused or could not answer a request of `approvals`: for its questions, or with a decision. Questions are asked for again. */
export interface ApprovalsErrorEvent {
  type: 'approvals-error';
  error: Error;
}

export interface ClientStateEvent {
  type: 'client-state';
  clientId: string;
  /** `waiting`: another process holds the client. `failed`: the client ended with `error`; other clients continue. */
  state: 'waiting' | 'started' | 'stopped' | 'failed';
  error?: Error;
}
