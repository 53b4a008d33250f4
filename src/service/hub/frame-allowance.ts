/**
 * Token bucket for the frames of one socket that belong to no running call, such as progress of an unknown one. An honest toolkit sends few of
 * them; late outcomes after a reconnect are at most as many as its concurrency.
 */
const CAPACITY = 10_000;
const PER_MS = 1;
/** A longer frame takes more tokens. */
const CHARS_PER_TOKEN = 1_024;

export class FrameAllowance {
  #left = CAPACITY;
  #at = performance.now();

  /** Counts a frame. False when the socket has sent too many. */
  allows(chars: number): boolean {
    const now = performance.now();
    this.#left = Math.min(CAPACITY, this.#left + (now - this.#at) * PER_MS) - 1 - chars / CHARS_PER_TOKEN;
    this.#at = now;
    return this.#left >= 0;
  }
}
