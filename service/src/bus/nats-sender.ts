/** Sends texts of any size. A text above NATS's limit stays here; its message says where to read the text. */
import type { NatsConnection } from '@nats-io/transport-node';
import { HeldMessages, type HoldOptions } from './held-messages';
import type { NatsInbox } from './nats-inbox';
import type { NatsModule } from './nats-module';
import type { NatsOutbox } from './nats-outbox';
import { FROM, HEADER_BYTES, LARGE } from './nats-wire';

const NOTHING = () => {};
const MAX_PIECE_BYTES = 1024 * 1024;

export interface NatsSenderDeps {
  nats: NatsModule;
  connection: NatsConnection;
  outbox: NatsOutbox;
  inbox: NatsInbox;
}

export class NatsSender {
  readonly #nats: NatsModule;
  readonly #connection: NatsConnection;
  readonly #outbox: NatsOutbox;
  readonly #inbox: NatsInbox;
  readonly #held: HeldMessages;
  #maxPayload = MAX_PIECE_BYTES;

  constructor({ nats, connection, outbox, inbox }: NatsSenderDeps) {
    this.#nats = nats;
    this.#connection = connection;
    this.#outbox = outbox;
    this.#inbox = inbox;
    this.#held = new HeldMessages(inbox, (to, bytes) => {
      const piece = bytes.subarray(0, Math.min(this.#roomBytes(), MAX_PIECE_BYTES));
      connection.publish(to, piece);
      return piece.length;
    });
  }

  /** Returns a function that drops the message if it is held. */
  send(subject: string, message: string, { reply = '', ...hold }: HoldOptions & { reply?: string }): () => void {
    const bytes = Buffer.from(message);
    if (bytes.length <= this.#roomBytes()) {
      if (this.#held.follows(subject)) this.#outbox.publish(subject, bytes, { reply, headers: this.#headers() });
      else this.#outbox.publish(subject, bytes, { reply });
      return NOTHING;
    }
    const { token, drop } = this.#held.hold(subject, bytes, hold);
    const headers = this.#headers();
    headers.set(LARGE, `${token} ${bytes.length}`);
    this.#outbox.publish(subject, this.#nats.Empty, { reply, headers });
    return drop;
  }

  /** Answers "no responders" (503) for a stopped subscriber, as the server does. Bypasses the outbox: the connection may be draining. */
  refuse(reply: string): void {
    this.#connection.publish(reply, this.#nats.Empty, { headers: this.#nats.headers(503, 'No Responders') });
  }

  /** Resolves when all held messages have been read. */
  settled(): Promise<void> {
    return this.#held.settled();
  }

  close(): void {
    this.#held.close();
  }

  #headers() {
    const headers = this.#nats.headers();
    headers.set(FROM, this.#inbox.id);
    return headers;
  }

  /** The next server may allow less. During a reconnect, the limit of the last server. */
  #roomBytes(): number {
    this.#maxPayload = this.#connection.info?.max_payload ?? this.#maxPayload;
    return this.#maxPayload - HEADER_BYTES;
  }
}
