/**
 * A share of each event-loop turn for work that may wait, such as thousands of sockets that come back at once: what does not fit waits for the next
 * turn,
 * in order, so that calls under way are not held up.
 */
const SHARE_MS = 8;

export class EventLoopBudget {
  readonly #waiting: (() => void)[] = [];
  #isAtWork = false;
  #turnHasBegun = false;
  /** As `performance.now()`. */
  #shareEndsAt = 0;

  /** Whether the next step of long work has to `enter` again. */
  get isUsedUp(): boolean {
    return performance.now() >= this.#shareEndsAt;
  }

  /** Resolves when it is the caller's turn. Its work until the next wait for input or output counts. */
  enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isAtWork) this.#admitNext();
    });
  }

  #admitNext(): void {
    const admit = this.#hasTime() ? this.#waiting.shift() : undefined;
    this.#isAtWork = admit !== undefined;
    if (!admit) return;
    admit();
    // A tick comes when no microtask is left: after all that this one does at once.
    queueMicrotask(() => process.nextTick(() => this.#admitNext()));
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (!this.#turnHasBegun) {
      this.#turnHasBegun = true;
      this.#shareEndsAt = now + SHARE_MS;
      setImmediate(() => this.#nextTurn());
    }
    return now < this.#shareEndsAt;
  }

  #nextTurn(): void {
    this.#turnHasBegun = false;
    if (this.#waiting.length > 0) this.#admitNext();
  }
}
