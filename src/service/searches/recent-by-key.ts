/**
 * What each agent key did lately: forgotten when a window is over, or when there is too much of it.
 *
 * Shape:  agent key -> its items, oldest first.
 * Units:  times are milliseconds since the epoch, passed in.
 */
export interface RecentBounds {
  windowMs: number;
  /** Items of one key; its oldest goes first. */
  perKey: number;
  /** Items of all keys; the oldest of the key that was quiet for longest goes first. */
  all: number;
}

export type Forgotten = 'over' | 'too many';

export class RecentByKey<Item extends { readonly at: number }> {
  readonly #bounds: RecentBounds;
  readonly #onForgotten: (item: Item, why: Forgotten) => void;
  /** Keys in the order of their last item. */
  readonly #items = new Map<string, Item[]>();
  #count = 0;

  constructor(bounds: RecentBounds, onForgotten: (item: Item, why: Forgotten) => void = () => {}) {
    this.#bounds = bounds;
    this.#onForgotten = onForgotten;
  }

  add(keyId: string, item: Item): void {
    const items = this.#swept(keyId, this.#items.get(keyId) ?? [], item.at);
    items.push(item);
    this.#count++;
    this.#items.delete(keyId);
    this.#items.set(keyId, items);
    if (items.length > this.#bounds.perKey) this.#forgetOldest(keyId, items, 'too many');
    if (this.#count <= this.#bounds.all) return;
    const [quietest] = this.#items;
    if (quietest) this.#forgetOldest(...quietest, 'too many');
  }

  /** Of the key, within the window, oldest first. */
  of(keyId: string, now: number): readonly Item[] {
    const items = this.#items.get(keyId);
    return items ? this.#swept(keyId, items, now) : [];
  }

  /** Forgets what is older than the window. */
  sweep(now: number): void {
    for (const [keyId, items] of this.#items) this.#swept(keyId, items, now);
  }

  /** Everything, without a word. */
  clear(): void {
    this.#items.clear();
    this.#count = 0;
  }

  #swept(keyId: string, items: Item[], now: number): Item[] {
    while (items[0] && now - items[0].at > this.#bounds.windowMs) this.#forgetOldest(keyId, items, 'over');
    return items;
  }

  #forgetOldest(keyId: string, items: Item[], why: Forgotten): void {
    const item = items.shift();
    this.#count--;
    if (items.length === 0) this.#items.delete(keyId);
    if (item) this.#onForgotten(item, why);
  }
}
