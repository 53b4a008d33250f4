/**
 * Which documents hold a term, and with what impact: an inverted index that grows and shrinks in place.
 *
 * Shape:  documents and terms are small whole numbers that are used again when they become free. All lists share one pool of 8 bytes a posting;
 *         a list of n postings has a block of the next power of two, and the order within a list means nothing.
 */
import type { ScoreBoard } from './score-board';

const INITIAL_POOL = 1_024;

export class PostingLists {
  readonly #numbers = new Map<string, number>();
  /** The next three by term number. */
  readonly #terms: string[] = [];
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #freeNumbers: number[] = [];

  #documents = new Uint32Array(INITIAL_POOL);
  #impacts = new Float32Array(INITIAL_POOL);
  #poolEnd = 0;
  /** Starts of free blocks, by the power of two that is their size. */
  readonly #freeBlocks: number[][] = Array.from({ length: 32 }, () => []);

  /** The number of a term; undefined when no document holds it. */
  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** How many documents hold the term. */
  count(termNumber: number): number {
    return this.#counts[termNumber] ?? 0;
  }

  /** The documents that hold the term, in no order; good until the next change. */
  documents(termNumber: number): Uint32Array {
    const start = this.#start(termNumber);
    return this.#documents.subarray(start, start + this.count(termNumber));
  }

  /** The document must not be in the term's list yet. Returns the number of the term, for `remove`. */
  add(term: string, document: number, impact: number): number {
    const termNumber = this.#numbers.get(term) ?? this.#newTerm(term);
    const count = this.count(termNumber);
    if (count === 0 || blockPower(count) < blockPower(count + 1)) this.#moveToLargerBlock(termNumber, count);
    const at = this.#start(termNumber) + count;
    this.#documents[at] = document;
    this.#impacts[at] = impact;
    this.#counts[termNumber] = count + 1;
    return termNumber;
  }

  /** The document must be in the term's list. */
  remove(termNumber: number, document: number): void {
    const start = this.#start(termNumber);
    const last = start + this.count(termNumber) - 1;
    const at = start + this.#documents.subarray(start, last + 1).indexOf(document);
    this.#documents[at] = this.#documents[last] as number;
    this.#impacts[at] = this.#impacts[last] as number;
    const count = last - start;
    this.#counts[termNumber] = count;
    if (count === 0) this.#forgetTerm(termNumber);
    // The list fits into the first half of its block again.
    else if (blockPower(count) < blockPower(count + 1)) this.#free(start + count, blockPower(count));
  }

  /** Adds `factor` × impact to the score of each document that holds the term. */
  addScores(termNumber: number, factor: number, scores: ScoreBoard): void {
    const documents = this.#documents;
    const impacts = this.#impacts;
    const start = this.#start(termNumber);
    const end = start + this.count(termNumber);
    for (let i = start; i < end; i++) scores.add(documents[i] as number, factor * (impacts[i] as number));
  }

  #start(termNumber: number): number {
    return this.#starts[termNumber] as number;
  }

  #newTerm(term: string): number {
    const termNumber = this.#freeNumbers.pop() ?? this.#terms.length;
    this.#numbers.set(term, termNumber);
    this.#terms[termNumber] = term;
    this.#counts[termNumber] = 0;
    return termNumber;
  }

  #forgetTerm(termNumber: number): void {
    this.#numbers.delete(this.#terms[termNumber] as string);
    this.#terms[termNumber] = '';
    this.#freeNumbers.push(termNumber);
    this.#free(this.#start(termNumber), 0);
  }

  #moveToLargerBlock(termNumber: number, count: number): void {
    const to = this.#allocate(blockPower(count + 1));
    if (count > 0) {
      const from = this.#start(termNumber);
      this.#documents.copyWithin(to, from, from + count);
      this.#impacts.copyWithin(to, from, from + count);
      this.#free(from, blockPower(count));
    }
    this.#starts[termNumber] = to;
  }

  #allocate(power: number): number {
    const used = this.#freeBlocks[power]?.pop();
    if (used !== undefined) return used;
    const start = this.#poolEnd;
    this.#poolEnd += 2 ** power;
    if (this.#poolEnd > this.#documents.length) this.#growPool();
    return start;
  }

  #free(start: number, power: number): void {
    this.#freeBlocks[power]?.push(start);
  }

  #growPool(): void {
    const length = 2 ** blockPower(this.#poolEnd);
    const documents = new Uint32Array(length);
    documents.set(this.#documents);
    this.#documents = documents;
    const impacts = new Float32Array(length);
    impacts.set(this.#impacts);
    this.#impacts = impacts;
  }
}

/** The power of two of the smallest block that holds `count` postings, for at least one. */
function blockPower(count: number): number {
  return 32 - Math.clz32(count - 1);
}
