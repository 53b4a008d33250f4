/**
 * Recent items of each agent key, with a time to live and a bound for one key and for all keys.
 *
 * Shape:  agent key -> its items, oldest first.
 * Units:  times are milliseconds since the epoch, passed in.
 */
export interface RecentBounds {
  windowMs: number;
  /** Items of one key. Beyond it, the key's oldest is evicted. */
  perKey: number;
  /** Items of all keys. Beyond it, the oldest of the least recently used key is evicted. */
  all: number;
}

export type RemovalReason = 'expired' | 'evicted';

export class RecentByKey<Item extends { readonly at: number }> {
  readonly #bounds: RecentBounds;
  readonly #onRemoved: (item: Item, reason: RemovalReason) => void;
  /** Keys in the order of their last item. */
  readonly #items = new Map<string, Item[]>();
  #count = 0;

  constructor(bounds: RecentBounds, onRemoved: (item: Item, reason: RemovalReason) => void = () => {}) {
    this.#bounds = bounds;
    this.#onRemoved = onRemoved;
  }

  add(keyId: string, item: Item): void {
    const items = this.#removeExpired(keyId, this.#items.get(keyId) ?? [], item.at);
    items.push(item);
    this.#count++;
    this.#items.delete(keyId);
    this.#items.set(keyId, items);
    if (items.length > this.#bounds.perKey) this.#removeOldest(keyId, items, 'evicted');
    if (this.#count <= this.#bounds.all) return;
    const [leastRecent] = this.#items;
    if (leastRecent) this.#removeOldest(...leastRecent, 'evicted');
  }

  /** Items of the key within the window, oldest first. */
  of(keyId: string, now: number): readonly Item[] {
    const items = this.#items.get(keyId);
    return items ? this.#removeExpired(keyId, items, now) : [];
  }

  /** Removes items older than the window. */
  sweep(now: number): void {
    for (const [keyId, items] of this.#items) this.#removeExpired(keyId, items, now);
  }

  /** Removes all items without a callback. */
  clear(): void {
    this.#items.clear();
    this.#count = 0;
  }

  #removeExpired(keyId: string, items: Item[], now: number): Item[] {
    while (items[0] && now - items[0].at > this.#bounds.windowMs) this.#removeOldest(keyId, items, 'expired');
    return items;
  }

  #removeOldest(keyId: string, items: Item[], reason: RemovalReason): void {
    const item = items.shift();
    this.#count--;
    if (items.length === 0) this.#items.delete(keyId);
    if (item) this.#onRemoved(item, reason);
  }
}
