/**
 * Embeds the actions that need a vector, in batches, until the service closes.
 *
 * After a failure of the server, the queue pauses. A batch whose texts fail delays no other batch: it is retried when no other action
 * waits, in ever smaller pieces, until only the failing text is left.
 * Units:  milliseconds.
 */
import { setImmediate } from 'node:timers/promises';
import { equalJitterMs } from '#sdk/protocol/backoff';
import { EmbeddingFailure } from './embedding-failure';

/** Backoff after failures of the server, and between retries of failed batches. */
const SERVER_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };
const BATCH_BACKOFF = { firstMs: 1_000, longestMs: 10 * 60_000 };
/** Limits the pause that a server may ask for. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/** So many failed batches in a row count as a failure of the server. */
const FAILURES_OF_A_SERVER = 3;
/** The factor by which a failed batch gets smaller. */
const SHRINK = 4;

interface Limits {
  /** Actions in one batch. */
  texts: number;
  /** Concurrent batches. */
  calls: number;
}

export interface QueueParts {
  limits(): Promise<Limits>;
  /** Rejects with EmbeddingFailure when the batch must be retried. */
  work(ids: readonly string[]): Promise<void>;
  onFailure(failure: EmbeddingFailure): void;
}

export class EmbeddingQueue {
  readonly #deps: QueueParts;
  readonly #waiting = new Set<string>();
  /** Actions of batches whose texts failed. */
  #failed = new Set<string>();
  #failuresInARow = 0;
  #pauseMs: number | undefined;
  #retries = 0;
  #retryAt = 0;
  #closed = false;
  #wake = () => {};

  constructor(parts: QueueParts) {
    this.#deps = parts;
  }

  /** Actions that were not tried yet, or failed because of the server. */
  get waiting(): number {
    return this.#waiting.size;
  }

  add(id: string): void {
    this.#failed.delete(id);
    this.#waiting.add(id);
    if (this.#pauseMs === undefined) this.#wake();
  }

  delete(id: string): void {
    this.#waiting.delete(id);
  }

  /** Resolves after `close`; rejects with any error that is not an EmbeddingFailure. */
  async run(): Promise<void> {
    const limits = await this.#deps.limits();
    try {
      while (!this.#closed) {
        if (this.#pauseMs !== undefined) await this.#sleep(this.#pauseMs);
        else if (this.#waiting.size > 0) await this.#drain(limits);
        else if (this.#failed.size === 0) await this.#sleep();
        else if (this.#retryAt > performance.now()) await this.#sleep(Math.ceil(this.#retryAt - performance.now()));
        else await this.#retry(limits);
      }
    } finally {
      // After a rejection the concurrent batches must not continue.
      this.#closed = true;
    }
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async #retry(limits: Limits): Promise<void> {
    const retried = this.#failed;
    this.#failed = new Set();
    this.#retries += 1;
    const size = Math.min(limits.texts, retried.size) / SHRINK ** this.#retries;
    await this.#drain(limits, { ids: retried, size: Math.max(1, Math.floor(size)) });
    // Ids that a pause or `close` left over.
    for (const id of retried) this.#failed.add(id);
    if (this.#failed.size === 0) this.#retries = 0;
    else this.#retryLater();
  }

  async #drain({ texts, calls }: Limits, again: { ids: Set<string>; size: number } = { ids: new Set(), size: 1 }): Promise<void> {
    const worker = async () => {
      while (this.#pauseMs === undefined && !this.#closed) {
        const fresh = take(this.#waiting, texts);
        const batch = fresh.length > 0 ? fresh : take(again.ids, again.size);
        if (batch.length === 0) return;
        await this.#try(batch, { isRetry: batch !== fresh });
      }
    };
    await Promise.all(Array.from({ length: calls }, worker));
  }

  async #try(batch: readonly string[], { isRetry }: { isRetry: boolean }): Promise<void> {
    // Yields to the event loop: batches that need no vector would otherwise run without a break.
    await setImmediate();
    try {
      await this.#deps.work(batch);
      this.#failuresInARow = 0;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      if (this.#closed) return;
      this.#deps.onFailure(error);
      this.#putBack(batch, error);
      // A retried text that fails again shows no fault of the server.
      if (!isRetry || !error.ofTexts) this.#pauseAfter(error);
    }
  }

  #putBack(batch: readonly string[], { ofTexts }: EmbeddingFailure): void {
    if (ofTexts && this.#failed.size === 0) this.#retryLater();
    for (const id of batch) (ofTexts ? this.#failed : this.#waiting).add(id);
  }

  #pauseAfter({ ofTexts, details: { retryAfterMs } }: EmbeddingFailure): void {
    this.#failuresInARow += 1;
    if (ofTexts && retryAfterMs === undefined && this.#failuresInARow < FAILURES_OF_A_SERVER) return;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(retryAfterMs ?? 0, equalJitterMs(this.#failuresInARow, SERVER_BACKOFF)));
  }

  #retryLater(): void {
    this.#retryAt = performance.now() + equalJitterMs(this.#retries + 1, BATCH_BACKOFF);
  }

  /** Ends early when an id is added, except during a pause. */
  async #sleep(ms?: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#pauseMs = undefined;
    this.#wake = () => {};
  }
}

function take(ids: Set<string>, most: number): string[] {
  const taken: string[] = [];
  for (const id of ids) {
    if (taken.length === most) break;
    ids.delete(id);
    taken.push(id);
  }
  return taken;
}
