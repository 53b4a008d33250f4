/**
 * The bus between nodes on NATS core, without storage in the server. nats-wire.ts describes the messages.
 *
 * Errors: a message of a peer never throws; an invalid message is logged and ignored.
 */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { SvcError } from '#sdk/protocol/errors';
import { type Logger, silentLogger } from '../lib/logger';
import type { Answers, Bus, BusListener } from './bus';
import { checkGroup, checkMessage, checkSubject } from './check-message';
import { connectNats, placesOf } from './connect-nats';
import { callListener } from './listener';
import { NatsInbox } from './nats-inbox';
import { loadNats, type NatsModule } from './nats-module';
import type { NatsSettings } from './nats-options';
import { NatsOutbox } from './nats-outbox';
import { NatsReceiver } from './nats-receiver';
import { NatsSender } from './nats-sender';
import { isNoResponders } from './nats-wire';

const CONNECT_MS = 5_000;
/** `close` waits at most this long for readers of held messages, and again for the server. */
const CLOSE_MS = 2_000;

export interface NatsBusOptions {
  settings: NatsSettings;
  logger?: Logger | undefined;
  /** Time to wait for a server that does not answer. */
  connectMs?: number | undefined;
}

/** Rejects with SERVICE_UNAVAILABLE when no server answers, with INVALID_REQUEST when it refuses this client. */
export async function openNatsBus({ settings, logger = silentLogger, connectMs = CONNECT_MS }: NatsBusOptions): Promise<Bus> {
  const nats = await loadNats();
  const connection = await connectNats(nats, settings, connectMs);
  const bus = new NatsBus(nats, connection, settings, logger);
  try {
    await bus.check();
  } catch (error) {
    await connection.close();
    throw error;
  }
  return bus;
}

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #settings: NatsSettings;
  readonly #logger: Logger;
  readonly #inbox: NatsInbox;
  readonly #outbox: NatsOutbox;
  readonly #sender: NatsSender;
  readonly #receiver: NatsReceiver;
  readonly #listeners = new Set<(connected: boolean) => void>();
  #connected = true;
  #closed: Promise<void> | undefined;

  constructor(nats: NatsModule, connection: NatsConnection, settings: NatsSettings, logger: Logger) {
    this.#connection = connection;
    this.#settings = settings;
    this.#logger = logger;
    this.#inbox = new NatsInbox(connection, settings.prefix, logger);
    this.#outbox = new NatsOutbox(connection, logger);
    this.#sender = new NatsSender({ nats, connection, outbox: this.#outbox, inbox: this.#inbox });
    this.#receiver = new NatsReceiver(connection, this.#inbox, logger);
    void this.#watch();
  }

  get connected(): boolean {
    return this.#connected && !this.#closed && !this.#connection.isClosed();
  }

  publish(subject: string, message: string): void {
    checkSubject(subject);
    checkMessage(message);
    if (this.connected) this.#sender.send(this.#to(subject), message, { readers: 'any' });
  }

  subscribe(subject: string, listener: BusListener, { group }: { group?: string } = {}): () => void {
    checkSubject(subject);
    if (group !== undefined) checkGroup(group);
    if (this.#closed || this.#connection.isClosed()) return () => {};
    let stopped = false;
    const subscription = this.#connection.subscribe(this.#to(subject), {
      ...(group !== undefined && { queue: group }),
      // `#watch` logs refusals of the server.
      callback: (error, message) => {
        if (!error) callListener(this.#logger, subject, () => this.#receive(message, () => !stopped, guarded));
      },
    });
    const guarded: BusListener = (text, answer) => callListener(this.#logger, subject, () => listener(text, answer));
    return () => {
      if (!stopped) this.#unsubscribe(subscription);
      stopped = true;
    };
  }

  ask(subject: string, message: string, answers: Answers): () => void {
    checkSubject(subject);
    checkMessage(message);
    const wasClosed = this.#closed;
    let open = true;
    let cancelSend = () => {};
    const call = (work: () => void) => {
      if (open && this.#closed === wasClosed) callListener(this.#logger, subject, work);
    };
    const stop = () => {
      open = false;
      cancelSend();
      this.#inbox.close(token);
    };
    const noResponder = () => {
      call(() => answers.noResponder());
      stop();
    };
    const listener = { text: (text: string) => call(() => answers.answer(text)), lost: () => {} };
    const token = this.#inbox.open((answer) => (isNoResponders(answer) ? noResponder() : this.#receiver.receive(answer, listener)));
    if (!this.connected) queueMicrotask(noResponder);
    else
      cancelSend = this.#sender.send(this.#to(subject), message, {
        reply: this.#inbox.subject(token),
        readers: 'any',
        onLost: noResponder,
      });
    return stop;
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async flush(): Promise<void> {
    try {
      this.#outbox.flush();
      if (this.connected) return await this.#connection.flush();
    } catch (error) {
      throw this.#unavailable(error);
    }
    throw this.#unavailable();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close(this.connected);
    return this.#closed;
  }

  /** Checks that this user may publish and subscribe: the server only logs a refusal, and calls would get no answer. */
  async check(): Promise<void> {
    let answered = false;
    const subject = `check.${this.#inbox.id}`;
    const unsubscribe = this.subscribe(subject, (_, answer) => answer('yes'));
    const stop = this.ask(subject, 'may I?', {
      answer: () => {
        answered = true;
      },
      noResponder: () => {},
    });
    // Two flushes: the first brings the question to this bus, the second its answer.
    await this.flush();
    await this.flush();
    stop();
    unsubscribe();
    const { prefix } = this.#settings;
    if (!answered)
      throw new SvcError(
        'INVALID_REQUEST',
        `NATS at ${placesOf(this.#settings)}: this user may not publish and subscribe to "${prefix}.>"; allow it both, docs/operations.md has an example`,
      );
  }

  async #close(connected: boolean): Promise<void> {
    this.#outbox.flush();
    if (connected) {
      await within(CLOSE_MS, this.#sender.settled());
      // Requests of other nodes that arrive before a subscription has ended at the server are refused. `drain` rejects when the connection
      // is cut meanwhile: no refusal can be sent then.
      await within(
        CLOSE_MS,
        this.#connection.drain().catch(() => {}),
      );
    }
    this.#sender.close();
    await this.#connection.close();
  }

  #receive(message: Msg, listens: () => boolean, listener: BusListener): void {
    const reply = this.#inbox.replyTo(message);
    const answer = (text: string) => {
      checkMessage(text);
      if (reply !== '' && this.connected) this.#sender.send(reply, text, { readers: 'one' });
    };
    const refuse = () => {
      if (reply !== '' && !this.#connection.isClosed()) this.#sender.refuse(reply);
    };
    this.#receiver.receive(message, {
      text: (text) => (listens() && !this.#closed ? listener(text, answer) : refuse()),
      lost: refuse,
    });
  }

  #unsubscribe(subscription: Subscription): void {
    // Closed by `drain`, or because the server refused the subscription.
    if (subscription.isClosed()) return;
    // Refuses requests that the server sends before the unsubscribe reaches it, so that their senders can ask another node.
    if (this.connected) void subscription.drain();
    else subscription.unsubscribe();
  }

  #to(subject: string): string {
    return `${this.#settings.prefix}.to.${subject}`;
  }

  async #watch(): Promise<void> {
    let refusal = '';
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') this.#setConnected(false);
      else if (status.type === 'reconnect') {
        refusal = '';
        this.#setConnected(true);
      } else if (status.type === 'error' && status.error.message !== refusal) {
        // A refused login is reported with every attempt to reconnect.
        refusal = status.error.message;
        this.#logger.error({ nats: placesOf(this.#settings), reason: refusal }, 'NATS refused an operation');
      }
    }
    if (!this.#closed) this.#setConnected(false);
  }

  #setConnected(connected: boolean): void {
    if (this.#connected === connected) return;
    this.#connected = connected;
    const nats = placesOf(this.#settings);
    if (connected) this.#logger.info({ nats }, 'reconnected to NATS');
    else this.#logger.warn({ nats }, 'the connection to NATS is lost; calls for other nodes fail until it is restored');
    for (const listener of [...this.#listeners]) callListener(this.#logger, 'connection', () => listener(connected));
  }

  #unavailable(cause?: unknown): SvcError {
    const message = this.#closed ? 'The bus is closed' : `NATS at ${placesOf(this.#settings)} cannot be reached`;
    return new SvcError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1_000 }, { cause });
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
