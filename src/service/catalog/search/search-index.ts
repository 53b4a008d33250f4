/**
 * Lexical search over actions: BM25F, and names that match exactly before everything else.
 *
 * Shape:  a result depends on the documents that are in the index now and on nothing else: not on their order, nor on what was there before.
 */
import { documentTerms, type SearchDocument } from './document-terms';
import { PostingLists } from './posting-lists';
import { queryTerms } from './query-terms';
import { ScoreBoard } from './score-board';
import { squeeze } from './tokenize';
import { UsageIndex } from './usage-index';

export interface SearchOptions {
  /** How many ids at most. */
  limit: number;
  /** Whether an action may be in the result; asked before the cut to `limit`. */
  accept?: (id: string) => boolean;
}

/** Terms of one query that are looked at, the rarest first: bounds what a hostile query costs. */
const MAX_QUERY_TERMS = 64;
/** More than any sum of word scores, so that exact names form ranks of their own. */
const EXACT_POINTS = 1e6;
const EXACT_RANK = { toolkit: 1, name: 2, id: 3, sameId: 4 };
/** Marks the terms that stand for a whole name: no tokenized word begins with it. */
const WHOLE_NAME = '=';

interface Entry {
  id: string;
  /** Numbers of the terms that hold it, to remove it again. */
  terms: Uint32Array;
}

export class SearchIndex {
  readonly #usage: UsageIndex;
  readonly #postings = new PostingLists();
  readonly #scores = new ScoreBoard();
  readonly #documents = new Map<string, number>();
  /** By document number. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #freeDocuments: number[] = [];

  constructor(usage = new UsageIndex()) {
    this.#usage = usage;
  }

  /** Adds an action, or replaces the one with its id. */
  upsert(document: SearchDocument): void {
    this.remove(document.id);
    const number = this.#freeDocuments.pop() ?? this.#entries.length;
    const terms = [...documentTerms(document), ...wholeNames(document)].map(([term, impact]) => this.#postings.add(term, number, impact));
    this.#entries[number] = { id: document.id, terms: Uint32Array.from(terms) };
    this.#documents.set(document.id, number);
    this.#scores.reserve(this.#entries.length);
  }

  /** An id that is not there is no fault. */
  remove(id: string): void {
    const number = this.#documents.get(id);
    if (number === undefined) return;
    for (const term of this.#entries[number]?.terms ?? []) this.#postings.remove(term, number);
    this.#entries[number] = undefined;
    this.#documents.delete(id);
    this.#freeDocuments.push(number);
  }

  /** Ids of actions, best first; equal ones by id. */
  search(query: string, { limit, accept = () => true }: SearchOptions): string[] {
    try {
      this.#score(query);
      const best = this.#scores.best(
        limit,
        (a, b) => this.#id(a) < this.#id(b),
        (document) => accept(this.#id(document)),
      );
      return best.map((document) => this.#id(document));
    } finally {
      this.#scores.clear();
    }
  }

  #score(query: string): void {
    const sameId = this.#documents.get(query.trim());
    if (sameId !== undefined) this.#scores.add(sameId, EXACT_POINTS * EXACT_RANK.sameId);
    const name = this.#postings.find(WHOLE_NAME + squeeze(query));
    if (name !== undefined) this.#postings.addScores(name, EXACT_POINTS, this.#scores);
    const weights = queryTerms(query);
    for (const { term, factor } of this.#rarest(weights)) this.#postings.addScores(term, factor, this.#scores);
    this.#addUsage(query, this.#perfectScore(weights));
  }

  #addUsage(query: string, perfectScore: number): void {
    for (const [id, points] of this.#usage.points(query)) {
      const document = this.#documents.get(id);
      if (document !== undefined) this.#scores.add(document, points * perfectScore);
    }
  }

  /** What an action would get that is about nothing but the words of the query. */
  #perfectScore(weights: Map<string, number>): number {
    let score = 0;
    for (const [spelling, weight] of weights) {
      const term = this.#postings.find(spelling);
      if (weight === 1) score += term === undefined ? Math.log(1 + this.#documents.size) : this.#rarity(term);
    }
    return score;
  }

  #rarest(weights: Map<string, number>): { term: number; factor: number }[] {
    const found: { term: number; factor: number }[] = [];
    for (const [spelling, weight] of weights) {
      const term = this.#postings.find(spelling);
      if (term !== undefined) found.push({ term, factor: weight * this.#rarity(term) });
    }
    return found.sort((a, b) => b.factor - a.factor).slice(0, MAX_QUERY_TERMS);
  }

  /** Above 0, and higher the fewer actions hold the term: BM25's `idf`. */
  #rarity(term: number): number {
    const holders = this.#postings.count(term);
    return Math.log(1 + (this.#documents.size - holders + 0.5) / (holders + 0.5));
  }

  #id(document: number): string {
    return this.#entries[document]?.id ?? '';
  }
}

/** The names under which an action is found as a whole, with the rank of such a hit. */
function wholeNames({ id, name, toolkitId, toolkitName }: SearchDocument): Map<string, number> {
  const names = new Map<string, number>();
  // Later ones win: an action may be called like its toolkit.
  for (const toolkit of [toolkitId, toolkitName]) names.set(WHOLE_NAME + squeeze(toolkit), EXACT_RANK.toolkit);
  names.set(WHOLE_NAME + squeeze(name), EXACT_RANK.name);
  names.set(WHOLE_NAME + squeeze(id), EXACT_RANK.id);
  names.delete(WHOLE_NAME);
  return names;
}
