/**
 * Sends the messages about alerts, from their rows, by one node at a time; a failed one again and again, until its target or the alert is removed.
 *
 * Shape:  a message is sent once, unless the process ends, or the database is away, between the answer of its target and the note of it in its row.
 *         It is sent again then, with the same id.
 */
import type { Logger } from '../../lib/logger';
import type { AlertDelivery, AlertStore } from '../../store/alert-store';
import type { AlertChannel } from './alert-channel';
import { messageOf } from './alert-message';
import type { AlertTargets } from './alert-targets';

/** Longer than any channel may take: another node sends the message then. */
const LEASE_MS = 60_000;
/** Pauses before the next tries; the last one repeats. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000];
const MAX_CLAIMED = 50;
/** How long a service that ends waits for what it sends. */
const CLOSE_MS = 5_000;
const MAX_ERROR_CHARS = 300;

export interface AlertDeliveriesDeps {
  store: AlertStore;
  targets: Pick<AlertTargets, 'channel'>;
  linkOf: (path: string) => string | undefined;
  logger: Logger;
}

export class AlertDeliveries {
  readonly #deps: AlertDeliveriesDeps;
  readonly #sending = new Set<Promise<void>>();

  constructor(deps: AlertDeliveriesDeps) {
    this.#deps = deps;
  }

  /** Sends what is due, without waiting for the answers. Each target waits for its own messages only. */
  async run(): Promise<void> {
    const { store } = this.#deps;
    if (this.#sending.size > 0 || !(await store.hasMessages())) return;
    const claimed = await store.claimMessages(MAX_CLAIMED, LEASE_MS);
    for (const [target, messages] of Map.groupBy(claimed, ({ target }) => target)) {
      const sending = this.#sendAll(target, messages).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
  }

  /** Waits for what is being sent, for a while. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.all(this.#sending), bound]);
    clearTimeout(timer);
  }

  /** Never rejects. */
  async #sendAll(target: string, messages: readonly AlertDelivery[]): Promise<void> {
    try {
      const channel = await this.#deps.targets.channel(target);
      if (!channel) return await this.#deps.store.removeTarget(target);
      for (let from = 0; from < messages.length; from += channel.atOnce)
        await this.#send(channel, messages.slice(from, from + channel.atOnce));
    } catch (error) {
      await this.#failed(messages, error);
    }
  }

  async #send(channel: AlertChannel, messages: readonly AlertDelivery[]): Promise<void> {
    try {
      await channel.send(messages.map(({ alert, event }) => messageOf(alert, event, this.#deps.linkOf)));
    } catch (error) {
      return this.#failed(messages, error);
    }
    for (const message of messages) await this.#deps.store.messageSent(message);
  }

  async #failed(messages: readonly AlertDelivery[], error: unknown): Promise<void> {
    const { store, logger } = this.#deps;
    const why = failureText(error);
    logger.warn({ target: messages[0]?.target, messages: messages.length, why }, 'cannot send alerts yet: tries again');
    for (const message of messages) {
      const againMs = PAUSES_MS[Math.min(message.tries, PAUSES_MS.length) - 1] ?? 0;
      // The lease ends by itself where the store cannot be reached.
      await store.messageFailed(message, { error: why, againMs }).catch(() => {});
    }
  }
}

/** One line without control characters: texts of other servers are shown in the console. */
export function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_ERROR_CHARS);
}
