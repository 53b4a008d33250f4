/** A connection to a platform where people write. Five members are required. */
import type { Message } from './message';
import type { MessageContext } from './message-context';

/** A question that a person answers with yes or no. */
export interface Question {
  /** Up to 50 characters of ASCII. */
  id: string;
  text: string;
}

export abstract class BaseClient {
  /** Names the client in what is stored: stable over restarts, known before `start()`, and different for each account. */
  abstract readonly clientId: string;

  /**
   * Connects.
   *
   * @throws an error that says what to do, for credentials that the platform refuses. A platform that cannot be reached is tried again.
   */
  abstract start(): Promise<void>;

  /** Disconnects. It may be called without a `start()` before, and twice. */
  abstract stop(): Promise<void>;

  /**
   * Waits for the next message; null if there was none for a while, or nothing that needs an answer.
   *
   * @param options `signal` ends the wait: the promise then resolves to null or rejects
   * @throws an error that no later try can mend; the agent then goes on without this client
   */
  abstract receiveMessage(options: { signal: AbortSignal }): Promise<MessageContext | null>;

  /**
   * Sends the reply to a message.
   *
   * @param ctx the message, as `receiveMessage` returned it, perhaps before a restart
   * @param replyMessages the assistant's and the tools' messages of the turn, in order; the last is the assistant's text: `replyText`, `replyImages`
   * @throws RefusedReply if no later try can succeed; after any other error it is called again
   */
  abstract sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void>;

  /** Where to go on after a restart, as JSON: set before `start()`, read after each `receiveMessage`. */
  cursor: unknown = null;

  /** Shows that an answer is in the making. Called every 4 seconds while a turn runs. */
  setTyping?(ctx: MessageContext): Promise<void>;

  /**
   * Shows the beginning of a reply: sends a message, or edits the one that it returned before, `ctx.partial`.
   *
   * @returns JSON that names the message
   */
  showPartial?(ctx: MessageContext, text: string): Promise<unknown>;

  /**
   * Asks with two buttons. The press comes back from `receiveMessage` with `answer`. Without this member the agent asks by `sendMessage`, and the
   * person writes yes or no.
   *
   * @returns JSON that names the message of the question
   */
  askApproval?(ctx: MessageContext, question: Question): Promise<unknown>;

  /** Takes the buttons away after the answer, or when time is up. `shown` is what `askApproval` returned; `text` replaces the question. */
  endQuestion?(ctx: MessageContext, shown: unknown, text: string): Promise<void>;
}

const brand = Symbol.for('svc-sdk.refused-reply');

/** The platform refused a reply for good: the person blocked the bot, the channel is gone. The agent does not try again. */
export class RefusedReply extends Error {
  override readonly name = 'RefusedReply';
  readonly [brand] = true;

  /** Like `instanceof`, and still true between two copies of the class: in CommonJS each entry has its own. */
  static is(value: unknown): value is RefusedReply {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
