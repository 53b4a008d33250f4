/**
 * The lists of terms that hold each document: to remove it from them again, and to read what it says without its text.
 *
 * Shape:  the lists of a document begin with those of the words of its name and description, in the order of `DocumentTerms`.
 */
import { BlockPool } from './block-pool';
import type { TextCounts } from './document-terms';

const INITIAL_DOCUMENTS = 256;
const GROWTH = 1.5;
/** Fits into a byte; names and first sentences have fewer words. */
const MAX_COUNTED_WORDS = 255;

export class DocumentLists {
  readonly #pool = new BlockPool();
  /** Keyed by document, like the others. */
  #starts = new Uint32Array(INITIAL_DOCUMENTS);
  #counts = new Uint16Array(INITIAL_DOCUMENTS);
  /** Three for each document. */
  #texts = new Uint8Array(3 * INITIAL_DOCUMENTS);

  /** Returns room for the lists of a document, to be filled at once; good until the next `add`. */
  add(document: number, count: number, { ofName, ofBoth, ofDescription }: TextCounts): Uint32Array {
    if (document >= this.#starts.length) this.#makeRoom(document);
    this.#starts[document] = this.#pool.allocate(count);
    this.#counts[document] = count;
    // Behind a name that is longer than counted, the words of the description are not where they are looked for.
    const description = ofName > MAX_COUNTED_WORDS ? [0, 0] : [ofBoth, Math.min(ofDescription, MAX_COUNTED_WORDS)];
    this.#texts.set([Math.min(ofName, MAX_COUNTED_WORDS), ...description], 3 * document);
    return this.of(document);
  }

  /** Good until the next `add`. */
  of(document: number): Uint32Array {
    const start = this.#starts[document] as number;
    return this.#pool.items.subarray(start, start + (this.#counts[document] as number));
  }

  /** All lists of all documents; good until the next `add`. */
  get items(): Uint32Array {
    return this.#pool.items;
  }

  /** The place in `items` of the first list of a document, a word of its name. */
  start(document: number): number {
    return this.#starts[document] as number;
  }

  end(document: number): number {
    return this.start(document) + (this.#counts[document] as number);
  }

  nameEnd(document: number): number {
    return this.start(document) + (this.#texts[3 * document] as number);
  }

  descriptionStart(document: number): number {
    return this.nameEnd(document) - (this.#texts[3 * document + 1] as number);
  }

  descriptionEnd(document: number): number {
    return this.descriptionStart(document) + (this.#texts[3 * document + 2] as number);
  }

  remove(document: number): void {
    this.#pool.release(this.#starts[document] as number, this.#counts[document] as number);
  }

  #makeRoom(document: number): void {
    const length = Math.max(document + 1, Math.ceil(GROWTH * this.#starts.length));
    const [starts, counts, texts] = [this.#starts, this.#counts, this.#texts];
    this.#starts = new Uint32Array(length);
    this.#starts.set(starts);
    this.#counts = new Uint16Array(length);
    this.#counts.set(counts);
    this.#texts = new Uint8Array(3 * length);
    this.#texts.set(texts);
  }
}
