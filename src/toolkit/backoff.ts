/**
 * Times to wait before the next try: "full jitter", a random time between 0 and a limit that doubles with every failure, so that thousands of
 * toolkits do not come back at the same moment.
 *
 * Units:  milliseconds.
 * Source: docs/protocol.md, section 6, "Close codes".
 */
const FIRST_LIMIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

export class Backoff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** @param wishMs the least that the service asked for; no more of it counts than the longest wait */
  nextMs(wishMs = 0): number {
    const limitMs = Math.min(LONGEST_WAIT_MS, FIRST_LIMIT_MS * 2 ** this.#failures++);
    return Math.max(Math.round(this.#random() * limitMs), Math.min(wishMs, LONGEST_WAIT_MS));
  }

  reset(): void {
    this.#failures = 0;
  }
}
