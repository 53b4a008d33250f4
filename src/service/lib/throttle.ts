/** What happens often, told at most once a second: all that came together, each once. */

const EVERY_MS = 1_000;

export class Throttle<T> {
  readonly #tell: (items: T[]) => void;
  readonly #items = new Set<T>();
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(tell: (items: T[]) => void) {
    this.#tell = tell;
  }

  add(item: T): void {
    if (this.#closed) return;
    this.#items.add(item);
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#toldAt + EVERY_MS - performance.now())).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const items = [...this.#items];
    this.#items.clear();
    this.#tell(items);
  }
}
