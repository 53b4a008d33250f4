/** A connection to a chat platform. Subclasses must implement the five abstract members. */
import type { Message } from './message';
import type { MessageContext } from './message-context';

/** A question that a person answers with yes or no. */
export interface Question {
  /** Up to 50 characters of ASCII. */
  id: string;
  text: string;
}

export abstract class BaseClient {
  /** Identifies the client in the store: stable across restarts, known before `start()`, and unique per account. */
  abstract readonly clientId: string;

  /**
   * Connects.
   *
   * @throws an error with the remedy for credentials that the platform refuses. An unreachable platform is retried.
   */
  abstract start(): Promise<void>;

  /** Disconnects. May be called twice, and without `start()`. */
  abstract stop(): Promise<void>;

  /**
   * Waits for the next message. Returns null after a while without a message that needs an answer.
   *
   * @param options `signal` ends the wait; the promise then resolves to null or rejects
   * @throws a permanent error; the agent then continues without this client
   */
  abstract receiveMessage(options: { signal: AbortSignal }): Promise<MessageContext | null>;

  /**
   * Sends the reply to a message.
   *
   * @param ctx the message, as `receiveMessage` returned it, perhaps before a restart
   * @param replyMessages the assistant's and the tools' messages of the turn, in order; the last is the assistant's text: `replyText`, `replyImages`
   * @throws RefusedReply if a retry cannot succeed; the agent retries after any other error
   */
  abstract sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void>;

  /**
   * The position in the platform's messages, as JSON. The agent sets the cursor before `start()` and stores it after each `receiveMessage`.
   */
  cursor: unknown = null;

  /** Shows a typing indicator. Called every 4 seconds while a turn runs. */
  setTyping?(ctx: MessageContext): Promise<void>;

  /**
   * Shows the beginning of a reply: sends a message, or edits the earlier message that `ctx.partial` identifies.
   *
   * @returns JSON that identifies the message
   */
  showPartial?(ctx: MessageContext, text: string): Promise<unknown>;

  /**
   * Sends a question with two buttons. `receiveMessage` returns the press with `answer`. Without this member the agent sends the question by
   * `sendMessage`, and the person writes yes or no.
   *
   * @returns JSON that identifies the message of the question
   */
  askApproval?(ctx: MessageContext, question: Question): Promise<unknown>;

  /** Removes the buttons after the answer or the timeout. `shown` is the return value of `askApproval`; `text` replaces the question. */
  endQuestion?(ctx: MessageContext, shown: unknown, text: string): Promise<void>;
}

const brand = Symbol.for('svc-sdk.refused-reply');

/** The platform refused a reply permanently, such as to a person who blocked the bot or in a deleted channel. The agent does not retry. */
export class RefusedReply extends Error {
  override readonly name = 'RefusedReply';
  readonly [brand] = true;

  /** Like `instanceof`, and still true between two copies of the class: in CommonJS each entry has a separate copy. */
  static is(value: unknown): value is RefusedReply {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
