/**
 * Limits background work to 8 ms per event-loop turn, so that running calls are not delayed, such as when thousands of sockets reconnect at
 * once. Work above the limit waits for the next turn, in order.
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

  /** Resolves when the caller may work. The budget counts all work of the caller until its next I/O. */
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
    // A tick runs when no microtask is left: after all synchronous work of the admitted caller.
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
