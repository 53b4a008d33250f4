/**
 * Works off the actions that need a vector, in batches, for as long as the service runs.
 *
 * What:   a server that fails as a whole is left alone for a while. A batch that fails by itself holds up nothing: it is tried again when nothing
 *         else waits, and in ever smaller pieces, until only the text that is to blame is left over.
 * Units:  milliseconds.
 */
import { setImmediate } from 'node:timers/promises';
import { backoffMs } from './backoff';
import { EmbeddingFailure } from './embedding-failure';

/** Waits after failures of the server, and between two tries of batches that failed by themselves. */
const SERVER_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };
const BATCH_BACKOFF = { firstMs: 2_000, longestMs: 10 * 60_000 };
/** A server may ask for a long silence, but not for ever. */
const LONGEST_PAUSE_MS = 10 * 60_000;
/** So many batches in a row do not fail by themselves. */
const FAILURES_OF_A_SERVER = 3;
/** By how much a batch that failed gets smaller. */
const SHRINK = 4;

export interface QueueParts {
  /** What one batch may hold, and how many may be under way. */
  limits(): Promise<{ texts: number; calls: number }>;
  /** Rejects with EmbeddingFailure when the batch has to be tried again. */
  work(ids: readonly string[]): Promise<void>;
  onFailure(failure: EmbeddingFailure): void;
}

export class EmbeddingQueue {
  readonly #parts: QueueParts;
  readonly #waiting = new Set<string>();
  /** Of batches that failed by themselves. */
  #failed = new Set<string>();
  #failuresInARow = 0;
  #pauseMs: number | undefined;
  #retries = 0;
  #retryAt = 0;
  #closed = false;
  #wake = () => {};

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** How many have not been tried, or could not be because of the server. */
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

  /** Resolves after `close`; rejects with what is no EmbeddingFailure. */
  async run(): Promise<void> {
    const { texts, calls } = await this.#parts.limits();
    try {
      while (!this.#closed) {
        if (this.#pauseMs !== undefined) await this.#sleep(this.#pauseMs);
        else if (this.#waiting.size > 0) await this.#drain(this.#waiting, texts, calls);
        else if (this.#failed.size === 0) await this.#sleep();
        else if (this.#retryAt > performance.now()) await this.#sleep(this.#retryAt - performance.now());
        else await this.#retry(texts, calls);
      }
    } finally {
      // After a rejection the batches beside it must not go on.
      this.#closed = true;
    }
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async #drain(ids: Set<string>, size: number, calls: number): Promise<void> {
    const lane = async () => {
      while (ids.size > 0 && this.#pauseMs === undefined && !this.#closed) await this.#try(take(ids, size));
    };
    await Promise.all(Array.from({ length: calls }, lane));
  }

  async #retry(texts: number, calls: number): Promise<void> {
    const retried = this.#failed;
    this.#failed = new Set();
    this.#retries += 1;
    await this.#drain(retried, Math.max(1, Math.floor(texts / SHRINK ** this.#retries)), calls);
    for (const id of retried) this.#failed.add(id);
    if (this.#failed.size === 0) this.#retries = 0;
    else this.#retryLater();
  }

  async #try(batch: readonly string[]): Promise<void> {
    // Batches that need no vector after all would follow each other without letting anything else pass.
    await setImmediate();
    try {
      await this.#parts.work(batch);
      this.#failuresInARow = 0;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      if (!this.#closed) this.#failedWith(error, batch);
    }
  }

  #failedWith(failure: EmbeddingFailure, batch: readonly string[]): void {
    this.#parts.onFailure(failure);
    this.#failuresInARow += 1;
    const { retryAfterMs } = failure.details;
    if (failure.ofTexts && this.#failed.size === 0) this.#retryLater();
    for (const id of batch) (failure.ofTexts ? this.#failed : this.#waiting).add(id);
    if (failure.ofTexts && retryAfterMs === undefined && this.#failuresInARow < FAILURES_OF_A_SERVER) return;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(retryAfterMs ?? 0, backoffMs(this.#failuresInARow, SERVER_BACKOFF)));
  }

  #retryLater(): void {
    this.#retryAt = performance.now() + backoffMs(this.#retries + 1, BATCH_BACKOFF);
  }

  /** Ends early when an id is added, unless the server is left alone. */
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
