/**
 * One array for many lists of whole numbers that grow and shrink: a list of n items has a block of the next power of two.
 *
 * Shape:  a block is known by where it starts; freed ones are used again for lists of their size.
 */
const INITIAL_LENGTH = 1_024;
const GROWTH = 1.25;

export class BlockPool {
  #items = new Uint32Array(INITIAL_LENGTH);
  #end = 0;
  /** Starts of free blocks, by the power of two that is their size. */
  readonly #free: number[][] = Array.from({ length: 32 }, () => []);

  /** All lists; good until the next `insert` or `allocate`. */
  get items(): Uint32Array {
    return this.#items;
  }

  /** A new list. Returns its start. */
  allocate(count: number): number {
    return count === 0 ? 0 : this.#block(powerOf(count));
  }

  /** Adds an item to a list in ascending order that begins at `start` and has `count` items. Returns the start it has then. */
  insert(start: number, count: number, item: number): number {
    const to = count === 0 || powerOf(count) < powerOf(count + 1) ? this.#moveToLarger(start, count) : start;
    const end = to + count;
    // Most items are the largest of their list.
    if (count === 0 || (this.#items[end - 1] as number) < item) {
      this.#items[end] = item;
      return to;
    }
    const at = this.place(to, count, item);
    this.#items.copyWithin(at + 1, at, end);
    this.#items[at] = item;
    return to;
  }

  /** The position of the first item of an ascending list that is not less than `item`, or its end. */
  place(start: number, count: number, item: number): number {
    let low = start;
    let high = start + count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle] as number) < item) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Takes out the item at `at`; those behind it move up. */
  remove(start: number, count: number, at: number): void {
    this.#items.copyWithin(at, at + 1, start + count);
    if (count === 1) this.#give(start, 0);
    // The list fits into the first half of its block again.
    else if (powerOf(count - 1) < powerOf(count)) this.#give(start + count - 1, powerOf(count - 1));
  }

  /** Frees a whole list that `allocate` made. */
  release(start: number, count: number): void {
    if (count > 0) this.#give(start, powerOf(count));
  }

  #moveToLarger(start: number, count: number): number {
    const to = this.#block(powerOf(count + 1));
    if (count > 0) {
      this.#items.copyWithin(to, start, start + count);
      this.#give(start, powerOf(count));
    }
    return to;
  }

  #block(power: number): number {
    const used = this.#free[power]?.pop();
    if (used !== undefined) return used;
    const start = this.#end;
    this.#end += 2 ** power;
    if (this.#end > this.#items.length) {
      const items = new Uint32Array(Math.max(this.#end, Math.ceil(GROWTH * this.#items.length)));
      items.set(this.#items);
      this.#items = items;
    }
    return start;
  }

  #give(start: number, power: number): void {
    this.#free[power]?.push(start);
  }
}

/** The power of two of the smallest block that holds `count` items, for at least one. */
function powerOf(count: number): number {
  return 32 - Math.clz32(count - 1);
}
