/**
 * The documents that contain a term, with its impact: an inverted index that grows and shrinks in place.
 *
 * Shape:  documents and lists are small whole numbers that are used again when they become free. A list is in the order of
 *         its documents, so that one is found in it without looking at all.
 */
import { BlockPool } from './block-pool';
import { IMPACT_BITS, posting } from './posting';
import type { ScoreBoard } from './score-board';
import { TermTable } from './term-table';

const INITIAL_LISTS = 1_024;

export class PostingLists {
  /** Term -> number of its list. */
  readonly #lists = new TermTable();
  readonly #pool = new BlockPool();
  /** The next three by number of the list. */
  #terms = new Int32Array(INITIAL_LISTS);
  #starts = new Uint32Array(INITIAL_LISTS);
  #counts = new Uint32Array(INITIAL_LISTS);
  readonly #freeLists: number[] = [];
  #listsEnd = 0;

  /** The list of a term; undefined when no document holds it. */
  find(term: number): number | undefined {
    return this.#lists.get(term);
  }

  /** How many documents a list has. */
  count(list: number): number {
    return this.#counts[list] as number;
  }

  /** The documents of a list, in ascending order. */
  documents(list: number): Uint32Array {
    return this.postings(list).map((one) => one >>> IMPACT_BITS);
  }

  /**
   * The document must not be in the term's list yet.
   *
   * @param impact above 0, at most 1
   * @returns the list of the term, for `remove`
   */
  add(term: number, document: number, impact: number): number {
    const list = this.#lists.get(term) ?? this.#newList(term);
    const count = this.count(list);
    this.#starts[list] = this.#pool.insert(this.#starts[list] as number, count, posting(document, impact));
    this.#counts[list] = count + 1;
    return list;
  }

  /** The document must be in the list. Returns the term of the list when no document holds it any more. */
  remove(list: number, document: number): number | undefined {
    const start = this.#starts[list] as number;
    const count = this.count(list);
    this.#pool.remove(start, count, this.#pool.place(start, count, (document << IMPACT_BITS) >>> 0));
    this.#counts[list] = count - 1;
    if (count > 1) return undefined;
    const term = this.#terms[list] as number;
    this.#lists.delete(term);
    this.#freeLists.push(list);
    return term;
  }

  /** Adds `factor` × impact to the score of each document of a list. */
  addScores(list: number, factor: number, scores: ScoreBoard): void {
    scores.addPostings(this.postings(list), factor);
  }

  /** The same for documents that have a score, and no others. */
  raiseScores(list: number, factor: number, scores: ScoreBoard): void {
    scores.raisePostings(this.postings(list), factor);
  }

  /** Good until the next change. */
  postings(list: number): Uint32Array {
    const start = this.#starts[list] as number;
    return this.#pool.items.subarray(start, start + this.count(list));
  }

  #newList(term: number): number {
    const list = this.#freeLists.pop() ?? this.#listsEnd++;
    if (list === this.#terms.length) this.#makeRoom();
    this.#lists.set(term, list);
    this.#terms[list] = term;
    this.#counts[list] = 0;
    return list;
  }

  #makeRoom(): void {
    const length = Math.ceil(1.5 * this.#terms.length);
    const terms = new Int32Array(length);
    terms.set(this.#terms);
    this.#terms = terms;
    this.#starts = longer(this.#starts, length);
    this.#counts = longer(this.#counts, length);
  }
}

function longer(items: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(items);
  return copy;
}
