/**
 * Term -> number: a `Map` of numbers in a third of its memory.
 *
 * Shape:  open addressing with linear probing; entries behind a removed one move up, so that no marks remain.
 * Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithm R.
 */
import { slot } from './slot';

const INITIAL_SLOTS = 2_048;
const MAX_LOAD = 0.6;
const EMPTY = 0;

export class TermTable {
  #terms = new Int32Array(INITIAL_SLOTS);
  /** One more than the number; 0 is an empty slot. */
  #numbers = new Uint32Array(INITIAL_SLOTS);
  #size = 0;

  get(term: number): number | undefined {
    const number = this.#numbers[this.#slot(term)] as number;
    return number === EMPTY ? undefined : number - 1;
  }

  set(term: number, number: number): void {
    if (this.#size >= MAX_LOAD * this.#terms.length) this.#grow();
    const at = this.#slot(term);
    if (this.#numbers[at] === EMPTY) this.#size += 1;
    this.#terms[at] = term;
    this.#numbers[at] = number + 1;
  }

  /** A term that is not there is no fault. */
  delete(term: number): void {
    const last = this.#terms.length - 1;
    let hole = this.#slot(term);
    if (this.#numbers[hole] === EMPTY) return;
    this.#size -= 1;
    for (let at = (hole + 1) & last; this.#numbers[at] !== EMPTY; at = (at + 1) & last) {
      const home = slot(this.#terms[at] as number, this.#terms.length);
      // An entry moves into the hole when it did not want a place behind it.
      if (((at - home) & last) < ((at - hole) & last)) continue;
      this.#terms[hole] = this.#terms[at] as number;
      this.#numbers[hole] = this.#numbers[at] as number;
      hole = at;
    }
    this.#numbers[hole] = EMPTY;
  }

  /** The slot of the term, used or free. */
  #slot(term: number): number {
    const last = this.#terms.length - 1;
    let at = slot(term, this.#terms.length);
    while (this.#numbers[at] !== EMPTY && this.#terms[at] !== term) at = (at + 1) & last;
    return at;
  }

  #grow(): void {
    const [terms, numbers] = [this.#terms, this.#numbers];
    this.#terms = new Int32Array(2 * terms.length);
    this.#numbers = new Uint32Array(2 * numbers.length);
    for (let i = 0; i < terms.length; i++) {
      if (numbers[i] === EMPTY) continue;
      const at = this.#slot(terms[i] as number);
      this.#terms[at] = terms[i] as number;
      this.#numbers[at] = numbers[i] as number;
    }
  }
}
