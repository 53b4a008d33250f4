/**
 * Messages between the nodes of a service: in this process for one node, NATS for any number, by one contract (`test/contract/bus.ts`).
 *
 * Shape:  a subject is words of `[A-Za-z0-9_-]` with dots between; a message is text of any size up to `MAX_MESSAGE_CHARS`.
 * Order:  of the messages of one bus to one subject, each subscriber receives those that it gets in the order in which they were sent, whatever their
 *         sizes; an asker receives the answers of each answerer likewise. Between subjects there is no order.
 * Errors: a message without a subscriber is lost; nothing is kept for later. A message that is sent while the bus is down is lost too, and `ask` says
 *         so.
 *         A subject or message that is none throws INVALID_REQUEST, at its sender.
 */
export interface Bus {
  /** False while the server cannot be reached. */
  readonly connected: boolean;
  /** Publishes to all subscribers of the subject, also in this process. */
  publish(subject: string, message: string): void;
  /**
   * Exactly one subscriber of a group gets each message. Returns the stop function. A listener that throws is logged, and troubles
   * nobody else.
   */
  subscribe(subject: string, listener: BusListener, options?: { group?: string }): () => void;
  /**
   * Sends a message that is answered any number of times, until the returned function is called. `nobody` is called instead, soon, when nobody
   * subscribes, and at once while the bus is down: then no listener has received the message.
   */
  ask(subject: string, message: string, answers: Answers): () => void;
  /** Calls back when the connection is lost, and when it is there again: what was on its way meanwhile may be gone. Returns the stop function. */
  onConnection(listener: (connected: boolean) => void): () => void;
  /**
   * Resolves when what this bus has subscribed to is known to the server, and what it has published has reached it. Rejects with
   * SERVICE_UNAVAILABLE while the bus is down.
   */
  flush(): Promise<void>;
  /** Earlier messages are still sent; listeners receive nothing more. */
  close(): Promise<void>;
}

/** `answer` reaches the asker while it listens; for a published message it does nothing. */
export type BusListener = (message: string, answer: (message: string) => void) => void;

export interface Answers {
  answer(message: string): void;
  nobody(): void;
}

/** Room for the largest payload or result, and what is said about it. */
export const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;
