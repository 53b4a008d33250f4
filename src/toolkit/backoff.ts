/**
 * Backoff with full jitter: a random time between 0 and a limit, so that thousands of toolkits do not reconnect at the same moment. The
 * limit grows with the time that was waited already, not with the number of failures: doubling per failure would let a toolkit with short
 * first waits wait for many times the outage.
 *
 * Units:  milliseconds.
 * Source: docs/protocol.md, section 6, "Close codes".
 */
const FIRST_LIMIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

export class Backoff {
  readonly #random: () => number;
  #waitedMs = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** @param wishMs the minimum that the service asked for, capped at the longest wait */
  nextMs(wishMs = 0): number {
    const limitMs = Math.min(LONGEST_WAIT_MS, FIRST_LIMIT_MS + this.#waitedMs);
    const waitMs = Math.max(Math.round(this.#random() * limitMs), Math.min(wishMs, LONGEST_WAIT_MS));
    this.#waitedMs += waitMs;
    return waitMs;
  }

  reset(): void {
    this.#waitedMs = 0;
  }
}
