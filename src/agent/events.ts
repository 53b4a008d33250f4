/** The events of an agent: the library prints nothing. */
import type { TokenCount } from './model/ask-model';

export type AgentEvent =
  | TurnStartEvent
  | TurnEndEvent
  | ModelErrorEvent
  | ReplyErrorEvent
  | MessageErrorEvent
  | HandlerErrorEvent
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
  /** Since the message came in. */
  milliseconds: number;
  /** Sum over all model calls of this process for the turn; zeros if the model's server counts none. */
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

/** The platform did not take a reply, a question or a partial text. Replies and questions are sent again. */
export interface ReplyErrorEvent extends TurnEvent {
  type: 'reply-error';
  error: Error;
}

/** A client returned something that is not a message. It is left out, and the agent goes on. */
export interface MessageErrorEvent {
  type: 'message-error';
  clientId: string;
  error: Error;
}

/** A function of the program threw: `accept` then refuses, and `approve` says no. */
export interface HandlerErrorEvent {
  type: 'handler-error';
  handler: 'accept' | 'approve';
  error: Error;
}

export interface ClientStateEvent {
  type: 'client-state';
  clientId: string;
  /** `waiting`: another process has the client. `failed`: the client ended with `error`, and the others go on. */
  state: 'waiting' | 'started' | 'stopped' | 'failed';
  error?: Error;
}
