/** Counts by key. A key whose count is 0 takes no memory. */
export class KeyedCounts {
  readonly #counts = new Map<string, number>();

  /** Keys with a count above 0. */
  get all(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  increment(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  decrement(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
