/** The evidence of one key for the actions of one toolkit. Its total weight is limited to the key's budget for a toolkit. */
import { type Tally, weightOf } from './tally';

/** Maximum age of the cached sum. Weights decay slowly. */
const RECOUNT_MS = 60 * 60 * 1000;

export class EvidenceGroup {
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

  /** Recomputes the sum. Until the next time it may differ by the calls of one key within seconds. */
  recount(now: number): void {
    this.#total = 0;
    for (const tally of this.#tallies) this.#total += weightOf(tally, now);
    this.#countedAt = now;
  }

  /** Returns the factor for each weight: above 0, at most 1. */
  scale(budget: number, now: number): number {
    if (now - this.#countedAt >= RECOUNT_MS) this.recount(now);
    return this.#total > budget ? budget / this.#total : 1;
  }
}
