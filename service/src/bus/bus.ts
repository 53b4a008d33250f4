/**
 * Messages between the nodes of a service: in process for one node, over NATS for more. Both pass one contract (`service/test/contract/bus.ts`).
 *
 * Shape:  a subject is words of `[A-Za-z0-9_-]` with dots between; a message is text of any size up to `MAX_MESSAGE_CHARS`.
 * Order:  a subscriber receives the messages of one bus to one subject in the order in which they were sent, whatever their sizes. An asker
 *         receives the answers of each answerer in order too. There is no order between subjects.
 * Errors: a message without a subscriber, or sent while the bus is down, is lost; `ask` reports both. An invalid subject or message throws
 *         INVALID_REQUEST at its sender.
 */
export interface Bus {
  /** False while the server cannot be reached. */
  readonly connected: boolean;
  /** Publishes to all subscribers of the subject, also in this process. */
  publish(subject: string, message: string): void;
  /**
   * Exactly one subscriber of a group receives each message. Returns the stop function. An error of a listener is logged and does not
   * affect other listeners.
   */
  subscribe(subject: string, listener: BusListener, options?: { group?: string }): () => void;
  /**
   * Sends a message and receives any number of answers until the returned function is called. Without a subscriber, or while the bus is
   * down, `noResponder` is called instead: then no listener has received the message.
   */
  ask(subject: string, message: string, answers: Answers): () => void;
  /**
   * Calls back when the connection is lost and when it is restored. Messages that were sent in between may be lost. Returns the stop
   * function.
   */
  onConnection(listener: (connected: boolean) => void): () => void;
  /**
   * Resolves when all subscriptions and messages of this bus have reached the server. Rejects with SERVICE_UNAVAILABLE while the bus is
   * down.
   */
  flush(): Promise<void>;
  /** Sends the messages that were published before; listeners receive no more messages. */
  close(): Promise<void>;
}

/** `answer` sends to the asker while it listens, and does nothing for a published message. */
export type BusListener = (message: string, answer: (message: string) => void) => void;

export interface Answers {
  answer(message: string): void;
  noResponder(): void;
}

/** Room for the largest payload or result with its metadata. */
export const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;
