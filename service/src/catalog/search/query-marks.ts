/**
 * Lists that answer a word of the query, in a table small enough for the processor's cache: the second stage looks up every list of every candidate.
 *
 * Shape:  open addressing with linear probing: list -> the number of the word from 0, and whether by a synonym.
 */
const SLOT_BITS = 10;
const SLOTS = 2 ** SLOT_BITS;
const EMPTY = -1;
/** Knuth's multiplicative hashing. */
const FACTOR = 0x9e3779b1;

export class QueryMarks {
  readonly #lists = new Int32Array(SLOTS).fill(EMPTY);
  /** One more than the number of the word; negative for a synonym of it. */
  readonly #marks = new Int16Array(SLOTS);

  /** Fewer lists than half of the slots; the first mark of a list stays. */
  set(list: number, word: number, isSynonym: boolean): void {
    const at = this.#slot(list);
    if (this.#lists[at] === list) return;
    this.#lists[at] = list;
    this.#marks[at] = isSynonym ? -word - 1 : word + 1;
  }

  /** One more than the number of the word that the list answers; negative for a synonym of it; 0 for none. */
  get(list: number): number {
    const at = this.#slot(list);
    return this.#lists[at] === EMPTY ? 0 : (this.#marks[at] as number);
  }

  clear(): void {
    this.#lists.fill(EMPTY);
  }

  #slot(list: number): number {
    let at = Math.imul(list, FACTOR) >>> (32 - SLOT_BITS);
    while (this.#lists[at] !== EMPTY && this.#lists[at] !== list) at = (at + 1) & (SLOTS - 1);
    return at;
  }
}
