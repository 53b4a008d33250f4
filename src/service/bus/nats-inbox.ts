/** Answers to this bus, by one subscription for all: a subject per conversation, which ends with its token. */
import { randomBytes } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../lib/logger';
import { callListener } from './listener';

export class NatsInbox {
  /** Names this bus among all. */
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

  /** Where to answer a message; '' when nobody waits, or the subject is none of an inbox. */
  replyTo({ reply }: Msg): string {
    return reply?.startsWith(this.#all) ? reply : '';
  }
}
