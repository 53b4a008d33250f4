/** Receives the answers to this bus with one subscription. Each conversation has its own subject, which ends with a token. */
import { randomBytes } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../lib/logger';
import { callListener } from './listener';

export class NatsInbox {
  /** Unique among all buses. */
  readonly id = randomBytes(9).toString('base64url');
  readonly #all: string;
  readonly #own: string;
  readonly #receivers = new Map<string, (message: Msg) => void>();
  #opened = 0;

  constructor(connection: NatsConnection, prefix: string, logger: Logger) {
    this.#all = `${prefix}.inbox.`;
    this.#own = `${this.#all}${this.id}.`;
    connection.subscribe(`${this.#own}*`, {
      callback: (error, message) => {
        if (error) return;
        callListener(logger, this.#own, () => this.#receivers.get(message.subject.slice(this.#own.length))?.(message));
      },
    });
  }

  /** Returns the token. */
  open(receive: (message: Msg) => void): string {
    const token = (this.#opened++).toString(36);
    this.#receivers.set(token, receive);
    return token;
  }

  close(token: string): void {
    this.#receivers.delete(token);
  }

  subject(token: string, id = this.id): string {
    return `${this.#all}${id}.${token}`;
  }

  /** The subject for the answer; '' when the message has none, or one that is not in an inbox. */
  replyTo({ reply }: Msg): string {
    return reply?.startsWith(this.#all) ? reply : '';
  }
}
