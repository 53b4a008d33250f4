/**
 * Whether it is worth asking a server that somebody waits for: after some failures in a row it is left alone for a while, then tried once
 * without anybody waiting.
 *
 * Units:  milliseconds.
 * Source: "Circuit Breaker", Michael Nygard, Release It! (2007).
 */
const FAILURES_TO_OPEN = 3;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** `probe`: ask, but do not wait for the answer. */
export type Turn = 'ask' | 'probe' | 'skip';

export class CircuitBreaker {
  #failures = 0;
  #restsUntil = 0;

  turn(): Turn {
    if (this.#failures < FAILURES_TO_OPEN) return 'ask';
    if (performance.now() < this.#restsUntil) return 'skip';
    this.#rest();
    return 'probe';
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    this.#rest();
  }

  #rest(): void {
    const ms = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (this.#failures - FAILURES_TO_OPEN));
    this.#restsUntil = performance.now() + ms;
  }
}
