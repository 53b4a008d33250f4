/**
 * Hands every charged entry of the ledger to `settle`: in the order in which they were booked, one at a time, at least once. An entry is marked
 * when `settle` has resolved; until then nothing overtakes it. One node settles at a time.
 */
import { equalJitterMs } from '#sdk/protocol/backoff';
import { SvcError } from '#sdk/protocol/errors';
import type { Logger } from '../lib/logger';
import type { LedgerEntry, Store, UnsettledEntries } from '../store/store';
import { type ChargedEntry, chargedEntry } from './charged-entry';

/** Moves the money of one entry, or passes the entry on. A rejection is a failure: the same entry is settled again. */
export type Settle = (entry: ChargedEntry) => Promise<void>;

/** How often the ledger is read while nothing is to be settled, and how often a node tries to become the one that settles. */
const POLL_MS = 1_000;
const BACKOFF = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** `settle` may set a longer pause, by `retryAfterMs` of its error, up to this limit. */
const LONGEST_PAUSE_MS = 60 * 60_000;
const BATCH = 100;
/** How long a service that ends waits for the entry under way. */
const CLOSE_MS = 5_000;

export interface SettlementDeps {
  store: Pick<Store, 'settling'>;
  settle: Settle;
  logger: Logger;
}

export class Settlement {
  readonly #deps: SettlementDeps;
  readonly #closing = new AbortController();
  readonly #givenUp = Promise.withResolvers<'given up'>();
  readonly #running: Promise<void>;
  /** Failures in a row. */
  #failures = 0;

  constructor(deps: SettlementDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  /** Waits for the entry under way, for a while. An entry that has not ended by then is settled again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    const bound = setTimeout(() => this.#givenUp.resolve('given up'), CLOSE_MS);
    await this.#running;
    clearTimeout(bound);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        if (!(await this.#deps.store.settling((ledger) => this.#settleAll(ledger)))) this.#failures = 0;
        await this.#sleep(POLL_MS);
      } catch (error) {
        await this.#failed('cannot read or mark the entries to settle', { error });
      }
    }
  }

  /** Until the service ends. */
  async #settleAll(ledger: UnsettledEntries): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const entries = await ledger.unsettled(BATCH);
      await this.#settleInOrder(ledger, entries);
      if (entries.length > 0) continue;
      this.#failures = 0;
      await this.#sleep(POLL_MS);
    }
  }

  /** Ends early after a failure: the next read shows that no other node has taken over meanwhile. */
  async #settleInOrder(ledger: UnsettledEntries, entries: readonly LedgerEntry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#closing.signal.aborted || !(await this.#settled(entry))) return;
      await ledger.settle([entry.invocationId], Date.now());
      this.#failures = 0;
    }
  }

  async #settled(entry: LedgerEntry): Promise<boolean> {
    const { settle, logger } = this.#deps;
    const invocation = entry.invocationId;
    try {
      const settling = (async () => settle(chargedEntry(entry)))();
      if ((await Promise.race([settling, this.#givenUp.promise])) !== 'given up') return true;
      logger.warn({ invocation }, 'settlement has not ended in time; the entry is settled again after the next start');
    } catch (error) {
      await this.#failed('settlement failed', { error, invocation });
    }
    return false;
  }

  async #failed(what: string, fields: { error: unknown; invocation?: string }): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#failures += 1;
    const askedMs = SvcError.is(fields.error) ? (fields.error.retryAfterMs ?? 0) : 0;
    const retryInMs = Math.max(equalJitterMs(this.#failures, BACKOFF), Math.min(askedMs, LONGEST_PAUSE_MS));
    this.#deps.logger.error({ ...fields, failures: this.#failures, retryInMs }, what);
    await this.#sleep(retryInMs);
  }

  /** Ends early when the service ends. */
  async #sleep(ms: number): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms).unref();
      signal.addEventListener('abort', wake);
    });
  }
}
