/**
 * Past queries with the action that served each, and the votes that they give for a new query.
 *
 * Shape:  the nearest past queries vote for their actions.
 * Units:  votes are 0 to 1: the more alike the past queries are and the more they agree, the higher they are; without a similar query they are 0.
 * Source: nearest neighbours by cosine of idf-weighted terms.
 */
import { PostingLists } from './posting-lists';
import { ScoreBoard } from './score-board';
import { term } from './term';
import { usageTerms } from './usage-terms';

/** One past query that led to an action. */
export interface UsageExample {
  id: string;
  /** Action id. */
  action: string;
  /** As the index makes them of a query. */
  terms: readonly string[];
  /** Above 0; 1 is the fresh evidence of one agent key. */
  weight: number;
  /** Its agent key; null for several. */
  key: string | null;
}

/** Past queries that vote. */
const NEIGHBOURS = 72;
/** How much more a near query counts than one half as near: likeness to this power. */
const NEARNESS = 2.2;
/** How soon votes count fully: those of one query that is hardly like any other, or of faint evidence, are held back. */
const DOUBT = 0.32;
/** The least that counts: of another query that shares a word with this one, a vote is fainter. */
const SECOND_VOTE = 0.1;
/** Postings that one query looks at, the rarest terms first: bounds its time. */
const MAX_POSTINGS = 5_000;

export interface UsageVotes {
  /** Action id -> votes above 0. */
  votes: Map<string, number>;
  /** How much the most similar past query is like this one: 0 to 1, 1 for the same. */
  nearest: number;
  /** Actions whose votes are the word of one agent key alone. */
  ofOneKey: ReadonlySet<string>;
}

interface Example {
  id: string;
  /** Action id. */
  action: string;
  /** The lists that hold it. */
  terms: Uint32Array;
  weight: number;
  key: string | null;
}

/** Votes of the nearest past queries for one action. */
class Votes {
  sum = 0;
  readonly #byKey = new Map<string, number>();

  /** @param key null for several */
  add(vote: number, key: string | null): void {
    this.sum += vote;
    if (key !== null) this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + vote);
  }

  /** Whether keys other than the one with the highest vote agree. */
  get isShared(): boolean {
    return this.sum - Math.max(0, ...this.#byKey.values()) >= SECOND_VOTE;
  }
}

export class UsageIndex {
  readonly #termsOf: (query: string) => string[];
  readonly #postings = new PostingLists();
  readonly #numbers = new Map<string, number>();
  /** Keyed by example number. */
  readonly #examples: (Example | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  /** The overlap of examples with the current query, relative to their length. */
  readonly #alike = new ScoreBoard();
  /** Squared rarity by number of holders, for the present number of examples. */
  readonly #squaredRarities: number[] = [];

  /** @param termsOf makes the terms of a query; they may be hashes of those that `usageTerms` gives */
  constructor(termsOf: (query: string) => string[] = usageTerms) {
    this.#termsOf = termsOf;
  }

  /** Number of examples. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Adds an example, or replaces the one with its id. */
  set({ id, action, terms, weight, key }: UsageExample): void {
    const numbers = new Set(terms.map((text) => term(text)));
    if (this.#changeWeight({ id, action, weight, key }, numbers)) return;
    this.remove(id);
    const number = this.#freeNumbers.pop() ?? this.#examples.length;
    const lists = Uint32Array.from(numbers, (one) => this.#postings.add(one, number, 1 / Math.sqrt(numbers.size)));
    this.#examples[number] = { id, action, terms: lists, weight, key };
    this.#alike.reserve(this.#examples.length);
    this.#numbers.set(id, number);
    this.#squaredRarities.length = 0;
  }

  /** A known example that only fades needs no change of the lists. */
  #changeWeight({ id, action, weight, key }: Omit<UsageExample, 'terms'>, terms: ReadonlySet<number>): boolean {
    const number = this.#numbers.get(id);
    if (number === undefined) return false;
    const example = this.#example(number);
    const lists = Array.from(terms, (one) => this.#postings.find(one));
    if (example.action !== action || example.terms.length !== lists.length) return false;
    if (!lists.every((list, i) => list === example.terms[i])) return false;
    example.weight = weight;
    example.key = key;
    return true;
  }

  /** An id that is not there is no fault. */
  remove(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    for (const list of this.#example(number).terms) this.#postings.remove(list, number);
    this.#examples[number] = undefined;
    this.#numbers.delete(id);
    this.#squaredRarities.length = 0;
    this.#freeNumbers.push(number);
  }

  votes(query: string): UsageVotes {
    if (this.#numbers.size === 0) return { votes: new Map(), nearest: 0, ofOneKey: new Set() };
    const terms = this.#termsOf(query).map((text) => this.#postings.find(term(text)));
    try {
      this.#findAlike(terms);
      return this.#countVotes(terms);
    } finally {
      this.#alike.clear();
    }
  }

  #findAlike(terms: readonly (number | undefined)[]): void {
    const known = terms.filter((list) => list !== undefined).sort((a, b) => this.#postings.count(a) - this.#postings.count(b));
    let looked = 0;
    for (const list of known) {
      looked += this.#postings.count(list);
      if (looked > MAX_POSTINGS) break;
      this.#postings.addScores(list, this.#squaredRarity(list), this.#alike);
    }
  }

  #countVotes(terms: readonly (number | undefined)[]): UsageVotes {
    const queryNorm = Math.sqrt(terms.reduce((sum: number, list) => sum + this.#squaredRarity(list), 0));
    const asked = new Set(terms);
    const near = this.#alike.best(
      NEIGHBOURS,
      (a, b) => this.#example(a).id < this.#example(b).id,
      () => true,
    );
    const byAction = new Map<string, Votes>();
    let nearest = 0;
    for (const number of near) {
      const { action, weight, terms: lists, key } = this.#example(number);
      const likeness = this.#likeness(lists, asked, queryNorm);
      nearest = Math.max(nearest, likeness);
      const ofAction = byAction.get(action) ?? new Votes();
      byAction.set(action, ofAction);
      ofAction.add(weight * likeness ** NEARNESS, key);
    }
    let most = 0;
    for (const { sum } of byAction.values()) most = Math.max(most, sum);
    const votes = new Map<string, number>();
    const ofOneKey = new Set<string>();
    for (const [action, { sum, isShared }] of byAction) {
      votes.set(action, sum / (most + DOUBT));
      if (!isShared) ofOneKey.add(action);
    }
    return { votes, nearest, ofOneKey };
  }

  /** Cosine, 0 to 1. */
  #likeness(lists: Uint32Array, asked: ReadonlySet<number | undefined>, queryNorm: number): number {
    let shared = 0;
    let all = 0;
    for (const list of lists) {
      const square = this.#squaredRarity(list);
      all += square;
      if (asked.has(list)) shared += square;
    }
    return shared / (queryNorm * Math.sqrt(all));
  }

  #squaredRarity(list: number | undefined): number {
    const holders = list === undefined ? 0 : this.#postings.count(list);
    this.#squaredRarities[holders] ??= Math.log(1 + this.#numbers.size / (holders + 0.5)) ** 2;
    return this.#squaredRarities[holders];
  }

  #example(number: number): Example {
    return this.#examples[number] as Example;
  }
}
