/**
 * Runs at most `atOnce` pieces of expensive work at a time. Further work waits in a bounded queue.
 *
 * Errors: RATE_LIMITED at once when the queue is full.
 */
import { SvcError } from '#sdk/protocol/errors';

export class Semaphore {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = waiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      // The next in the queue inherits this slot, so the count stays.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting)
      throw new SvcError('RATE_LIMITED', 'Too many people sign in at this moment: try again in a few seconds', { retryAfterMs: 3_000 });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
