/**
 * Words of the catalogue by how they are misspelled: finds `calendar` for `calender` without comparing it with every word.
 *
 * Shape: every word is stored under each of its spellings that lacks one letter; two words with one letter of difference, or with two neighbours
 *         swapped, share such a spelling.
 * Source: symmetric deletes, as in Garbe's SymSpell (2012).
 */
import { distance } from 'fastest-levenshtein';
import { slot } from './slot';
import { term } from './term';

/** Shorter words have too many neighbours that mean something else. */
const SPELLABLE = /^[a-z]{4,24}$/;
const INITIAL_SLOTS = 4_096;
const MAX_LOAD = 0.6;

export class Spellings {
  /** Keyed by term. */
  readonly #words = new Map<number, string>();
  /** Open addressing, linear probing: the term of a shortened spelling, and the term of the word; 0 is an empty slot. */
  #shortened = new Int32Array(INITIAL_SLOTS);
  #wordTerms = new Int32Array(INITIAL_SLOTS);
  #used = 0;

  add(word: string, wordTerm: number): void {
    if (this.#words.has(wordTerm) || !SPELLABLE.test(word)) return;
    this.#words.set(wordTerm, word);
    this.#insert(word, wordTerm);
  }

  /** Its spellings stay until the table is full, or serve again when the word returns; it is no longer found. */
  remove(wordTerm: number): void {
    this.#words.delete(wordTerm);
  }

  /** Words that differ from `misspelled` by one letter or two swapped ones; never itself. */
  near(misspelled: string): string[] {
    if (!SPELLABLE.test(misspelled)) return [];
    const near = new Set<string>();
    for (const spelling of [misspelled, ...shorten(misspelled)]) {
      for (const wordTerm of this.#find(term(spelling))) {
        const word = this.#words.get(wordTerm);
        if (word !== undefined && word !== misspelled && isSlip(misspelled, word)) near.add(word);
      }
    }
    // A letter too many: the right word is a shortened spelling of the wrong one.
    for (const spelling of shorten(misspelled)) if (this.#words.has(term(spelling))) near.add(spelling);
    return [...near];
  }

  #insert(word: string, wordTerm: number): void {
    for (const spelling of shorten(word)) {
      if (this.#used >= MAX_LOAD * this.#shortened.length) this.#makeRoom();
      this.#put(term(spelling), wordTerm);
    }
  }

  #put(shortened: number, wordTerm: number): void {
    let at = this.#slot(shortened);
    for (; this.#wordTerms[at] !== 0; at = (at + 1) & (this.#shortened.length - 1)) {
      if (this.#shortened[at] === shortened && this.#wordTerms[at] === wordTerm) return;
    }
    this.#shortened[at] = shortened;
    this.#wordTerms[at] = wordTerm;
    this.#used += 1;
  }

  *#find(shortened: number): Generator<number> {
    for (let at = this.#slot(shortened); this.#wordTerms[at] !== 0; at = (at + 1) & (this.#shortened.length - 1)) {
      if (this.#shortened[at] === shortened) yield this.#wordTerms[at] as number;
    }
  }

  #slot(shortened: number): number {
    return slot(shortened, this.#shortened.length);
  }

  /** Leaves out removed words; larger only when the others need it, so that removed words cost no memory. */
  #makeRoom(): void {
    const [shortened, wordTerms] = [this.#shortened, this.#wordTerms];
    const isKept = (wordTerm: number) => wordTerm !== 0 && this.#words.has(wordTerm);
    const kept = wordTerms.reduce((count, wordTerm) => count + (isKept(wordTerm) ? 1 : 0), 0);
    const length = 2 * kept > MAX_LOAD * shortened.length ? 2 * shortened.length : shortened.length;
    this.#shortened = new Int32Array(length);
    this.#wordTerms = new Int32Array(length);
    this.#used = 0;
    for (const [at, wordTerm] of wordTerms.entries()) if (isKept(wordTerm)) this.#put(shortened[at] as number, wordTerm);
  }
}

function* shorten(word: string): Generator<string> {
  for (let i = 0; i < word.length; i++) {
    // Removing either letter of a double gives the same spelling.
    if (word[i] !== word[i - 1]) yield word.slice(0, i) + word.slice(i + 1);
  }
}

function isSlip(a: string, b: string): boolean {
  return distance(a, b) === 1 || (a.length === b.length && isSwap(a, b));
}

/** The distance of two different words. */
function isSwap(a: string, b: string): boolean {
  let i = 0;
  while (a[i] === b[i]) i++;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}
