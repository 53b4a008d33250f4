/**
 * Token bucket for frames of one socket that belong to no running call, such as progress of an unknown call. An honest toolkit sends few
 * such frames; after a reconnect it sends at most as many late outcomes as its concurrency.
 */
const CAPACITY = 10_000;
const PER_MS = 1;
/** A frame costs one token, and one more per 1,024 characters. */
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
