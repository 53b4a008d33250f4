/**
 * A cache of the newest entries, with at least `limit` and at most twice `limit` in weight.
 *
 * Two generations, because deleting the first entries of a large Map is slow.
 */
export class GenerationalCache<Value> {
  readonly #limit: number;
  #young = new Map<string, Value>();
  #old: ReadonlyMap<string, Value> = new Map();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(key: string, value: Value, weight: number): void {
    this.#young.set(key, value);
    this.#weight += weight;
    if (this.#weight < this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }
}
