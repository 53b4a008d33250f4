/**
 * Publishes the messages of one event-loop turn together, after the turn: the client writes to its socket at the end of every callback, and
 * a write costs more than a message.
 *
 * Errors: a message that the client refuses because the server has just lowered its limits is logged and lost.
 */
import type { NatsConnection, PublishOptions } from '@nats-io/transport-node';
import type { Logger } from '../lib/logger';

interface OutgoingMessage {
  subject: string;
  bytes: Uint8Array;
  options: PublishOptions;
}

export class NatsOutbox {
  readonly #connection: NatsConnection;
  readonly #logger: Logger;
  #messages: OutgoingMessage[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(connection: NatsConnection, logger: Logger) {
    this.#connection = connection;
    this.#logger = logger;
  }

  publish(subject: string, bytes: Uint8Array, options: PublishOptions): void {
    this.#messages.push({ subject, bytes, options });
    this.#turn ??= setImmediate(() => this.flush());
  }

  /** Publishes all waiting messages now. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const messages = this.#messages;
    this.#messages = [];
    for (const message of messages) this.#publish(message);
  }

  #publish({ subject, bytes, options }: OutgoingMessage): void {
    if (this.#connection.isClosed()) return;
    try {
      this.#connection.publish(subject, bytes, options);
    } catch (error) {
      this.#logger.error({ error, subject }, 'NATS refuses a message');
    }
  }
}
