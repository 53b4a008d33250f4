/** The evidence of one key for the actions of one toolkit. All of it together weighs no more than the key's budget for a toolkit. */
import { type Tally, weightOf } from './tally';

/** Weights decay slowly: so old may a sum be. */
const RECOUNT_MS = 60 * 60 * 1000;

export class ToolkitShare {
  readonly #tallies = new Set<Tally>();
  #total = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#tallies.size;
  }

  add(tally: Tally, now: number): void {
    if (this.#tallies.has(tally)) return;
    this.#tallies.add(tally);
    this.#total += weightOf(tally, now);
  }

  delete(tally: Tally): void {
    this.#tallies.delete(tally);
  }

  [Symbol.iterator](): Iterator<Tally> {
    return this.#tallies.values();
  }

  /** Until the next time, the sum may be off by what one key does within seconds. */
  recount(now: number): void {
    this.#total = 0;
    for (const tally of this.#tallies) this.#total += weightOf(tally, now);
    this.#countedAt = now;
  }

  /** Above 0, at most 1: what a weight is to be multiplied with. */
  scale(budget: number, now: number): number {
    if (now - this.#countedAt >= RECOUNT_MS) this.recount(now);
    return this.#total > budget ? budget / this.#total : 1;
  }
}
