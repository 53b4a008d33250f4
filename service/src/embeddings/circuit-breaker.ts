/**
 * Stops requests to a server that fails: after three failures in a row the circuit is open for a while, then one request tests the server
 * while no caller waits for it.
 *
 * Units:  milliseconds.
 * Source: "Circuit Breaker", Michael Nygard, Release It! (2007).
 */
const FAILURES_TO_OPEN = 3;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** `closed`: send and wait. `half-open`: send, but do not wait. `open`: do not send. */
export type CircuitState = 'closed' | 'half-open' | 'open';

export class CircuitBreaker {
  #failures = 0;
  #restsUntil = 0;

  /** The state for the next request. While the circuit is open, one request in each rest gets `half-open`. */
  stateForNextRequest(): CircuitState {
    if (this.#failures < FAILURES_TO_OPEN) return 'closed';
    if (performance.now() < this.#restsUntil) return 'open';
    this.#rest();
    return 'half-open';
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
