/** The bus inside one process, for a service of one node and for tests of several nodes. */
import { SvcError } from '#sdk/protocol/errors';
import { type Logger, silentLogger } from '../lib/logger';
import type { Answers, Bus, BusListener } from './bus';
import { checkGroup, checkMessage, checkSubject } from './check-message';
import { callListener } from './listener';
import { LocalExchange, type LocalSubscription } from './local-exchange';

export class LocalBus implements Bus {
  readonly #exchange: LocalExchange;
  readonly #logger: Logger;
  readonly #subscriptions = new Set<LocalSubscription>();
  #closed = false;

  constructor({
    exchange = new LocalExchange(),
    logger = silentLogger,
  }: { exchange?: LocalExchange | undefined; logger?: Logger | undefined } = {}) {
    this.#exchange = exchange;
    this.#logger = logger;
  }

  get connected(): boolean {
    return !this.#closed;
  }

  publish(subject: string, message: string): void {
    checkSubject(subject);
    checkMessage(message);
    if (!this.#closed) this.#exchange.later(() => this.#deliver(subject, message, () => {}));
  }

  subscribe(subject: string, listener: BusListener, { group }: { group?: string } = {}): () => void {
    checkSubject(subject);
    if (group !== undefined) checkGroup(group);
    if (this.#closed) return () => {};
    const guarded: BusListener = (message, answer) =>
      callListener(this.#logger, subject, () =>
        listener(message, (text) => {
          checkMessage(text);
          if (!this.#closed) answer(text);
        }),
      );
    const subscription = { subject, group, listener: guarded, stopped: false };
    this.#subscriptions.add(subscription);
    this.#exchange.add(subscription);
    return () => this.#stop(subscription);
  }

  ask(subject: string, message: string, answers: Answers): () => void {
    checkSubject(subject);
    checkMessage(message);
    const wasClosed = this.#closed;
    let open = true;
    const call = (work: () => void) => {
      if (open && this.#closed === wasClosed) callListener(this.#logger, subject, work);
    };
    const answer = (text: string) => this.#exchange.later(() => call(() => answers.answer(text)));
    this.#exchange.later(() => {
      if (open && (wasClosed || !this.#deliver(subject, message, answer))) call(() => answers.noResponder());
    });
    return () => {
      open = false;
    };
  }

  /** The connection of a local bus is never lost. */
  onConnection(): () => void {
    return () => {};
  }

  flush(): Promise<void> {
    return this.#closed ? Promise.reject(new SvcError('SERVICE_UNAVAILABLE', 'The bus is closed')) : this.#exchange.settled();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscription of this.#subscriptions) this.#stop(subscription);
    await this.#exchange.settled();
  }

  #stop(subscription: LocalSubscription): void {
    this.#subscriptions.delete(subscription);
    this.#exchange.remove(subscription);
  }

  /** False without a subscriber. */
  #deliver(subject: string, message: string, answer: (message: string) => void): boolean {
    const receivers = this.#exchange.receivers(subject);
    for (const receiver of receivers) {
      // A subscription that an earlier listener stopped receives nothing.
      if (!receiver.stopped) receiver.listener(message, answer);
    }
    return receivers.length > 0;
  }
}
