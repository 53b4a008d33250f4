/**
 * Reads the texts of messages of any size, in the order of each sender.
 *
 * Units:  bytes; milliseconds without a new piece.
 * Errors: a message that cannot be read completely is logged and dropped; later messages are still delivered.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../lib/logger';
import { Mutex } from '../lib/mutex';
import type { NatsInbox } from './nats-inbox';
import { FROM, isNoResponders, LARGE, type LargeMessage, readLarge } from './nats-wire';

const PIECE_MS = 5_000;
/** Messages of one sender that may wait for a large message of the same sender. */
const MAX_WAITING = 10_000;

interface SenderQueue {
  /** Serialises the messages of the sender. */
  order: Mutex;
  count: number;
}

export interface TextListener {
  text(text: string): void;
  /** The message is dropped. */
  lost(): void;
}

export class NatsReceiver {
  readonly #connection: NatsConnection;
  readonly #inbox: NatsInbox;
  readonly #logger: Logger;
  /** Sender -> its queue. One message of a sender is read at a time, so that memory is bounded by the number of nodes. */
  readonly #senders = new Map<string, SenderQueue>();

  constructor(connection: NatsConnection, inbox: NatsInbox, logger: Logger) {
    this.#connection = connection;
    this.#inbox = inbox;
    this.#logger = logger;
  }

  receive(message: Msg, listener: TextListener): void {
    const { headers } = message;
    if (!headers) return listener.text(message.string());
    const from = headers.get(FROM);
    if (!headers.has(LARGE)) {
      const text = message.string();
      if (this.#senders.has(from)) this.#wait(from, listener, async () => listener.text(text));
      else listener.text(text);
      return;
    }
    const large = readLarge(from, headers.get(LARGE));
    if (!large) {
      this.#logger.warn({ subject: message.subject }, 'a message on the bus is invalid: another program publishes under its prefix');
      return;
    }
    this.#wait(from, listener, async () => {
      const text = await this.#read(large);
      if (text !== undefined) return listener.text(text);
      this.#logger.warn({ bytes: large.bytes }, 'a large message on the bus was lost: its sender stopped or the connection was cut');
      listener.lost();
    });
  }

  /** `work` must not reject. */
  #wait(from: string, listener: TextListener, work: () => Promise<void>): void {
    const queue = this.#senders.get(from) ?? { order: new Mutex(), count: 0 };
    if (queue.count >= MAX_WAITING) {
      this.#logger.warn({ waiting: queue.count }, 'a message on the bus was dropped: too many wait for a large one');
      listener.lost();
      return;
    }
    this.#senders.set(from, queue);
    queue.count++;
    void queue.order.run(work).then(() => {
      queue.count--;
      if (queue.count === 0) this.#senders.delete(from);
    });
  }

  async #read({ from, token, bytes }: LargeMessage): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    let offset = 0;
    while (offset < bytes) {
      const piece = await this.#piece(this.#inbox.subject(token, from), offset);
      if (piece === undefined || piece.length === 0 || offset + piece.length > bytes) return undefined;
      pieces.push(piece);
      offset += piece.length;
    }
    return Buffer.concat(pieces).toString();
  }

  #piece(subject: string, offset: number): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      const end = (piece: Uint8Array | undefined) => {
        clearTimeout(timer);
        this.#inbox.close(token);
        resolve(piece);
      };
      const timer = setTimeout(() => end(undefined), PIECE_MS).unref();
      const token = this.#inbox.open((message) => end(isNoResponders(message) ? undefined : message.data));
      if (this.#connection.isClosed()) end(undefined);
      else this.#connection.publish(subject, String(offset), { reply: this.#inbox.subject(token) });
    });
  }
}
