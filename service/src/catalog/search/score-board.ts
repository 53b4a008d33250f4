/**
 * Scores of the documents that one query touches, then the best of them. Made once and cleared after each query, so that a query costs what it
 * touches and not the size of the catalogue.
 *
 * Shape:  document number -> score above 0.
 */
import { IMPACT_BITS, IMPACT_STEPS } from './posting';

const INITIAL_SIZE = 1_024;

export class ScoreBoard {
  /** Floats take half of the space of doubles: those of 100,000 documents stay in the processor's cache. */
  #scores = new Float32Array(INITIAL_SIZE);
  #touched = new Uint32Array(INITIAL_SIZE);
  #touchedCount = 0;

  /** Makes room for documents numbered below `size`; only while the board is clear. */
  reserve(size: number): void {
    if (size <= this.#scores.length) return;
    const length = Math.max(size, 2 * this.#scores.length);
    this.#scores = new Float32Array(length);
    this.#touched = new Uint32Array(length);
  }

  /** @param points above 0 */
  add(document: number, points: number): void {
    const score = this.#scores[document] as number;
    if (score === 0) this.#touched[this.#touchedCount++] = document;
    this.#scores[document] = score + points;
  }

  /** Adds `factor` × impact for each posting, above 0. This and the next are where a search spends its time: all they touch is in local names. */
  addPostings(postings: Uint32Array, factor: number): void {
    const scores = this.#scores;
    const touched = this.#touched;
    const step = factor / IMPACT_STEPS;
    let count = this.#touchedCount;
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i] as number;
      const document = posting >>> IMPACT_BITS;
      const score = scores[document] as number;
      touched[count] = document;
      count += Number(score === 0);
      scores[document] = score + step * (posting & IMPACT_STEPS);
    }
    this.#touchedCount = count;
  }

  /** The same for documents that have a score, and no others. */
  raisePostings(postings: Uint32Array, factor: number): void {
    const scores = this.#scores;
    const step = factor / IMPACT_STEPS;
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i] as number;
      const score = scores[posting >>> IMPACT_BITS] as number;
      scores[posting >>> IMPACT_BITS] = score + step * (posting & IMPACT_STEPS) * Number(score !== 0);
    }
  }

  /** @param score above 0 */
  set(document: number, score: number): void {
    if (this.#scores[document] === 0) this.#touched[this.#touchedCount++] = document;
    this.#scores[document] = score;
  }

  /** 0 for a document that was not touched. */
  score(document: number): number {
    return this.#scores[document] as number;
  }

  /** How many documents with a score pass. */
  count(passes: (document: number) => boolean): number {
    let count = 0;
    for (let i = 0; i < this.#touchedCount; i++) if (passes(this.#touched[i] as number)) count += 1;
    return count;
  }

  /**
   * The `limit` documents with the highest scores, best first.
   *
   * @param comesFirst decides between equal scores
   * @param accept called only for documents that would be among the best
   */
  best(limit: number, comesFirst: (a: number, b: number) => boolean, accept: (document: number) => boolean): number[] {
    const scores = this.#scores;
    const touched = this.#touched;
    const count = this.#touchedCount;
    const best: number[] = [];
    // Most documents are worse than the worst of a full list: no search for a place, and no question, for those.
    let least = 0;
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number;
      if ((scores[document] as number) < least) continue;
      const place = this.#placeAmong(best, document, comesFirst);
      if (place >= limit || !accept(document)) continue;
      if (best.length < limit) best.push(document);
      for (let behind = best.length - 1; behind > place; behind--) best[behind] = best[behind - 1] as number;
      best[place] = document;
      if (best.length === limit) least = scores[best[limit - 1] as number] as number;
    }
    return best;
  }

  #placeAmong(best: readonly number[], document: number, comesFirst: (a: number, b: number) => boolean): number {
    const score = this.#scores[document] as number;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle] as number;
      const difference = score - (this.#scores[other] as number);
      if (difference > 0 || (difference === 0 && comesFirst(document, other))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  clear(): void {
    for (let i = 0; i < this.#touchedCount; i++) this.#scores[this.#touched[i] as number] = 0;
    this.#touchedCount = 0;
  }
}
