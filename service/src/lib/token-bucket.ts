/** A rate with bursts: `burst` at once, and `perSecond` in the long run. */
const MS_PER_SECOND = 1_000;

export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledAt = performance.now();

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  get isEmpty(): boolean {
    return this.waitMs > 0;
  }

  /** Milliseconds until it has one again; 0 while it has. */
  get waitMs(): number {
    this.#fill();
    return this.#tokens > 0 ? 0 : Math.ceil(((1 - this.#tokens) * MS_PER_SECOND) / this.#perSecond);
  }

  /**
   * Takes them, also when there are fewer: the wait is longer then.
   *
   * @returns true if there were as many
   */
  take(tokens: number): boolean {
    this.#fill();
    this.#tokens -= tokens;
    return this.#tokens >= 0;
  }

  #fill(): void {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) * this.#perSecond) / MS_PER_SECOND);
    this.#filledAt = now;
  }
}
