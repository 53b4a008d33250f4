/**
 * Collects distinct items and passes them on as a batch, at most once per `intervalMs`. The first item after a pause is passed on at once.
 */
export class Throttle<T> {
  readonly #pass: (items: T[]) => void;
  readonly #intervalMs: number;
  readonly #items = new Set<T>();
  #timer: NodeJS.Timeout | undefined;
  #passedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(pass: (items: T[]) => void, intervalMs = 1_000) {
    this.#pass = pass;
    this.#intervalMs = intervalMs;
  }

  add(item: T): void {
    if (this.#closed) return;
    this.#items.add(item);
    this.#timer ??= setTimeout(() => this.flush(), Math.max(0, this.#passedAt + this.#intervalMs - performance.now())).unref();
  }

  /** Passes on the collected items now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || this.#items.size === 0) return;
    this.#passedAt = performance.now();
    const items = [...this.#items];
    this.#items.clear();
    this.#pass(items);
  }

  /** Drops the collected items. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
