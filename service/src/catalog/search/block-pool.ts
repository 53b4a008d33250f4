/**
 * One array for many lists of whole numbers that grow and shrink: a list has a block of the next size, and sizes are a quarter of a power of two
 * apart (4, 5, 6, 7, 8, 10, 12, 14, 16, 20, …), so that at most a fifth of a block is empty.
 *
 * Shape:  a block is known by where it starts; freed ones are used again for lists of their size.
 */
const INITIAL_LENGTH = 1_024;
const GROWTH = 1.25;

export class BlockPool {
  #items = new Uint32Array(INITIAL_LENGTH);
  #end = 0;
  /** Starts of free blocks, by size. */
  readonly #free = new Map<number, number[]>();

  /** All lists; good until the next `insert` or `allocate`. */
  get items(): Uint32Array {
    return this.#items;
  }

  /** A new list. Returns its start. */
  allocate(count: number): number {
    return count === 0 ? 0 : this.#block(sizeOf(count));
  }

  /** Adds an item to a list in ascending order that begins at `start` and has `count` items. Returns the start it has then. */
  insert(start: number, count: number, item: number): number {
    const to = sizeOf(count) < sizeOf(count + 1) ? this.#moveToLarger(start, count) : start;
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
    const [size, smaller] = [sizeOf(count), sizeOf(count - 1)];
    // The end of a block that is too large by now is a block too: the difference of two sizes is a power of two.
    if (smaller < size) this.#give(start + smaller, size - smaller);
  }

  /** Frees a whole list that `allocate` made. */
  release(start: number, count: number): void {
    if (count > 0) this.#give(start, sizeOf(count));
  }

  #moveToLarger(start: number, count: number): number {
    const to = this.#block(sizeOf(count + 1));
    if (count > 0) {
      this.#items.copyWithin(to, start, start + count);
      this.#give(start, sizeOf(count));
    }
    return to;
  }

  #block(size: number): number {
    const used = this.#free.get(size)?.pop();
    if (used !== undefined) return used;
    const start = this.#end;
    this.#end += size;
    if (this.#end > this.#items.length) {
      const items = new Uint32Array(Math.max(this.#end, Math.ceil(GROWTH * this.#items.length)));
      items.set(this.#items);
      this.#items = items;
    }
    return start;
  }

  #give(start: number, size: number): void {
    const free = this.#free.get(size);
    if (free) free.push(start);
    else this.#free.set(size, [start]);
  }
}

/** The size of the smallest block that holds `count` items. */
function sizeOf(count: number): number {
  if (count <= 4) return count;
  const step = 2 ** (29 - Math.clz32(count - 1));
  return Math.ceil(count / step) * step;
}
