/**
 * Fair queue: serves owners round robin, so that an owner with a thousand items does not delay an owner with one item.
 *
 * Shape:  owner -> its line of items, oldest first. Lines are in round-robin order; a new line is added last.
 * Cost:   O(1) for each operation; `take` also scans past items that may not leave now.
 * Source: fair queueing with longest-queue drop: McKenney, "Stochastic Fairness Queuing" (1990), and RFC 7806, section 2.2.
 */
import { ChurnMap } from '../lib/churn-map';

export class FairQueue<Item extends object> {
  readonly #lines = new Map<string, Line<Item>>();
  readonly #places = new ChurnMap<Item, Place<Item>>();
  /** Length -> the lines of that length. Filled when a line first reaches the length. */
  readonly #linesByLength: Set<Line<Item>>[] = [];
  #maxLength = 0;

  get size(): number {
    return this.#places.size;
  }

  add(owner: string, item: Item): void {
    let line = this.#lines.get(owner);
    if (!line) {
      line = new Line(owner);
      this.#lines.set(owner, line);
    }
    this.#places.set(item, line.push(item));
    this.#lengthChanged(line, line.length - 1);
  }

  delete(item: Item): void {
    const place = this.#places.get(item);
    if (!place) return;
    const { line } = place;
    this.#places.delete(item);
    line.remove(place);
    this.#lengthChanged(line, line.length + 1);
    if (line.length === 0) this.#lines.delete(line.owner);
  }

  /** Removes the oldest item that may leave, of the owner whose turn it is. An owner without such an item is skipped and keeps its turn. */
  take(mayLeave: (item: Item) => boolean): Item | undefined {
    for (const line of this.#lines.values()) {
      const item = line.oldest(mayLeave);
      if (!item) continue;
      this.#lines.delete(line.owner);
      this.#lines.set(line.owner, line);
      this.delete(item);
      return item;
    }
    return undefined;
  }

  /** Longest-queue drop: removes the newest item of the longest line, if the owner's line with one more item stays shorter. */
  dropFor(owner: string): Item | undefined {
    const length = this.#lines.get(owner)?.length ?? 0;
    if (length + 1 >= this.#maxLength) return undefined;
    const [longest] = this.#linesByLength[this.#maxLength] ?? [];
    const newest = longest?.newest;
    if (newest) this.delete(newest);
    return newest;
  }

  items(): Item[] {
    return [...this.#places.keys()];
  }

  #lengthChanged(line: Line<Item>, before: number): void {
    this.#linesByLength[before]?.delete(line);
    this.#linesByLength[line.length] ??= new Set();
    if (line.length > 0) this.#linesByLength[line.length]?.add(line);
    this.#maxLength = Math.max(this.#maxLength, line.length);
    // The only longest line got shorter by one item, so one step is enough.
    if (this.#linesByLength[this.#maxLength]?.size === 0) this.#maxLength--;
  }
}

interface Place<Item> {
  readonly line: Line<Item>;
  readonly item: Item;
  before: Place<Item> | undefined;
  after: Place<Item> | undefined;
}

/** A doubly linked list, since items are removed from any position. */
class Line<Item> {
  readonly owner: string;
  length = 0;
  #first: Place<Item> | undefined;
  #last: Place<Item> | undefined;

  constructor(owner: string) {
    this.owner = owner;
  }

  get newest(): Item | undefined {
    return this.#last?.item;
  }

  oldest(matches: (item: Item) => boolean): Item | undefined {
    for (let place = this.#first; place; place = place.after) if (matches(place.item)) return place.item;
    return undefined;
  }

  push(item: Item): Place<Item> {
    const place: Place<Item> = { line: this, item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.length++;
    return place;
  }

  remove(place: Place<Item>): void {
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    // A removed place in V8's old generation would keep all later places alive until a full garbage collection.
    place.before = undefined;
    place.after = undefined;
    this.length--;
  }
}
