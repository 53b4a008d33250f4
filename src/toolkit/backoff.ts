/**
 * Times to wait before the next try: "full jitter", a random time between 0 and a limit that grows with the time that was waited already, so that
 * thousands of toolkits do not come back at the same moment. A limit that doubled with every failure would let some of them, which had short times
 * first, wait for many times as long as the service was away.
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

  /** @param wishMs the least that the service asked for; no more of it counts than the longest wait */
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
