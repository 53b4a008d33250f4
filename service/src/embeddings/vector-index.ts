/**
 * Nearest-neighbour search over the vectors of actions. The search is exact: every action is compared.
 *
 * Shape:  action id -> direction. All directions have the size of the first.
 */
import type { RankingOptions } from '../catalog/search/search-index';
import type { Direction } from './directions';
import { DotProducts } from './dot-products';

export class VectorIndex {
  /** Ids and inverse lengths by row. */
  readonly #ids: string[] = [];
  readonly #inverseLengths: number[] = [];
  readonly #rows = new Map<string, number>();
  #dimensions: number | undefined;
  #products: DotProducts | undefined;

  get size(): number {
    return this.#ids.length;
  }

  /** Undefined before the first vector. */
  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  /** Adds an action, or replaces its vector. */
  set(id: string, direction: Direction): void {
    this.#dimensions ??= direction.length;
    this.#products ??= new DotProducts(direction.length);
    const row = this.#rows.get(id) ?? this.#ids.length;
    this.#products.setRow(row, direction);
    this.#ids[row] = id;
    this.#inverseLengths[row] = 1 / lengthOf(direction);
    this.#rows.set(id, row);
  }

  /** Does nothing for an unknown id. */
  remove(id: string): void {
    const row = this.#rows.get(id);
    const last = this.#ids.length - 1;
    if (row === undefined) return;
    const lastId = this.#ids[last] as string;
    this.#products?.copyRow(last, row);
    this.#ids[row] = lastId;
    this.#inverseLengths[row] = this.#inverseLengths[last] as number;
    this.#rows.set(lastId, row);
    this.#rows.delete(id);
    this.#ids.pop();
    this.#inverseLengths.pop();
  }

  /** Undefined for an action without a vector. */
  cosine(id: string, direction: Direction): number | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || !this.#products) return undefined;
    return (this.#products.one(direction, row) * (this.#inverseLengths[row] as number)) / lengthOf(direction);
  }

  /** Ids by cosine with the direction, highest first; ties by id. */
  search(direction: Direction, { limit, accept = () => true }: RankingOptions): string[] {
    const best: { id: string; cosine: number }[] = [];
    this.#products?.forEach(direction, this.#ids.length, (row, product) => {
      const cosine = product * (this.#inverseLengths[row] as number);
      const worst = best[limit - 1];
      if (worst && cosine < worst.cosine) return;
      const candidate = { id: this.#ids[row] as string, cosine };
      const place = placeAmong(best, candidate);
      if (place >= limit || !accept(candidate.id)) return;
      best.splice(place, 0, candidate);
      if (best.length > limit) best.pop();
    });
    return best.map(({ id }) => id);
  }
}

function lengthOf(direction: Direction): number {
  let squares = 0;
  for (const number of direction) squares += number * number;
  return Math.sqrt(squares);
}

function placeAmong(best: readonly { id: string; cosine: number }[], { id, cosine }: { id: string; cosine: number }): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = best[middle] as { id: string; cosine: number };
    if (cosine > other.cosine || (cosine === other.cosine && id < other.id)) high = middle;
    else low = middle + 1;
  }
  return low;
}
