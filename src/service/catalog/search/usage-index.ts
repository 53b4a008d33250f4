/**
 * Past queries with the action that served each, and the votes that they give for a new query.
 *
 * Shape:  two views of the same examples, for neither alone is enough. The nearest past queries vote for their actions, which finds the right
 *         one among many; and all past queries of an action together are a text about it, which holds where no single one is near.
 * Units:  points are shares of a perfect lexical match, so that they can be added to one: the more alike the past queries are and the more they
 *         agree, the more they say; nothing alike says nothing.
 * Source: nearest neighbours by cosine of idf-weighted terms; how much of an action's past queries hold a term is saturated as in BM25.
 */
import { IMPACT_BITS } from './posting';
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
  /** The agent key that it comes from; null for several. */
  key: string | null;
}

/** Past queries that vote. */
const NEIGHBOURS = 72;
/** How much more a near query counts than one half as near: likeness to this power. */
const NEARNESS = 2.6;
/** How soon votes count fully: those of one query that is hardly like any other, or of faint evidence, are held back. */
const DOUBT = 0.16;
/** The least that says something: of another query that shares a word with this one, a vote is fainter. */
const SECOND_VOTE = 0.1;
/** The maximum of the votes, in perfect lexical matches, when the nearest query is the same. */
const NEIGHBOURS_SHARE = 2.5;
/** The same for the text that past queries make: only one that holds nearly the whole query says something, hence the power. */
const TEXT_SHARE = 1.1;
const TEXT_POWER = 3;
/** Less changes no order that matters, and hundreds of actions share a word with any query. */
const MIN_SHARE = 0.005;
/** BM25's saturation of a term in the past queries of an action, for few of them and for each more. */
const FEW = 0.5;
const EACH_MORE = 0.05;
/** Postings that one query looks at, the rarest terms first: bounds its time. */
const MAX_POSTINGS = 5_000;

export interface UsagePoints {
  /** Action id -> points above 0. */
  points: Map<string, number>;
  /** How much the most similar past query is like this one: 0 to 1, 1 for the same. */
  nearest: number;
  /** Actions whose points are the word of one agent key alone. */
  ofOneKey: ReadonlySet<string>;
}

interface Example {
  id: string;
  action: UsedAction;
  /** The lists that hold it. */
  terms: Uint32Array;
  weight: number;
  key: string | null;
}

interface UsedAction {
  id: string;
  /** The weight of all its examples. */
  weight: number;
  examples: number;
  /** The weight of its examples that contain the current term. */
  tally: number;
  /** Points from the texts of its past queries for the current query. */
  text: number;
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

  /** Whether others than the key that says the most say it too. */
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
  readonly #actions = new Map<string, UsedAction>();
  /** The overlap of examples with the current query, relative to their length. */
  readonly #alike = new ScoreBoard();
  /** Actions whose texts say something about it. */
  readonly #touched: UsedAction[] = [];

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
    const used = this.#actions.get(action) ?? { id: action, weight: 0, examples: 0, tally: 0, text: 0 };
    this.#actions.set(action, used);
    used.weight += weight;
    used.examples += 1;
    const lists = Uint32Array.from(numbers, (one) => this.#postings.add(one, number, 1 / Math.sqrt(numbers.size)));
    this.#examples[number] = { id, action: used, terms: lists, weight, key };
    this.#alike.reserve(this.#examples.length);
    this.#numbers.set(id, number);
  }

  /** A known example that only fades needs no change of the lists. */
  #changeWeight({ id, action, weight, key }: Omit<UsageExample, 'terms'>, terms: ReadonlySet<number>): boolean {
    const number = this.#numbers.get(id);
    if (number === undefined) return false;
    const example = this.#example(number);
    const lists = Array.from(terms, (one) => this.#postings.find(one));
    if (example.action.id !== action || example.terms.length !== lists.length) return false;
    if (!lists.every((list, i) => list === example.terms[i])) return false;
    example.action.weight += weight - example.weight;
    example.weight = weight;
    example.key = key;
    return true;
  }

  /** An id that is not there is no fault. */
  remove(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    const { action, terms, weight } = this.#example(number);
    for (const list of terms) this.#postings.remove(list, number);
    action.weight -= weight;
    action.examples -= 1;
    if (action.examples === 0) this.#actions.delete(action.id);
    this.#examples[number] = undefined;
    this.#numbers.delete(id);
    this.#freeNumbers.push(number);
  }

  points(query: string): UsagePoints {
    const points = new Map<string, number>();
    if (this.#numbers.size === 0) return { points, nearest: 0, ofOneKey: new Set() };
    const terms = this.#termsOf(query).map((text) => this.#postings.find(term(text)));
    const known = terms.filter((list) => list !== undefined).sort((a, b) => this.#postings.count(a) - this.#postings.count(b));
    try {
      const textMass = this.#collect(known) + (terms.length - known.length) * this.#textRarity(0);
      for (const { id, text } of this.#touched) {
        const share = TEXT_SHARE * (text / textMass) ** TEXT_POWER;
        if (share >= MIN_SHARE) points.set(id, share);
      }
      return { points, ...this.#addVotes(terms, points) };
    } finally {
      this.#alike.clear();
      for (const action of this.#touched.splice(0)) action.text = 0;
    }
  }

  /** Fills in which examples are alike, and what the texts of actions say; returns what a text could say at most of these terms. */
  #collect(lists: readonly number[]): number {
    let mass = 0;
    let looked = 0;
    for (const list of lists) {
      looked += this.#postings.count(list);
      if (looked > MAX_POSTINGS) break;
      this.#postings.addScores(list, this.#rarity(list) ** 2, this.#alike);
      const holders: UsedAction[] = [];
      for (const one of this.#postings.postings(list)) {
        const { action, weight } = this.#example(one >>> IMPACT_BITS);
        if (action.tally === 0) holders.push(action);
        action.tally += weight;
      }
      const rarity = this.#textRarity(holders.length);
      mass += rarity;
      for (const action of holders) {
        if (action.text === 0) this.#touched.push(action);
        action.text += (rarity * action.tally) / (action.tally + FEW + EACH_MORE * action.weight);
        action.tally = 0;
      }
    }
    return mass;
  }

  /** Adds what the nearest examples say. */
  #addVotes(terms: readonly (number | undefined)[], points: Map<string, number>): Omit<UsagePoints, 'points'> {
    const queryNorm = Math.sqrt(terms.reduce((sum: number, list) => sum + this.#rarity(list) ** 2, 0));
    const asked = new Set(terms);
    const near = this.#alike.best(
      NEIGHBOURS,
      (a, b) => this.#example(a).id < this.#example(b).id,
      () => true,
    );
    const votes = new Map<string, Votes>();
    let nearest = 0;
    for (const number of near) {
      const { action, weight, terms: lists, key } = this.#example(number);
      const likeness = this.#likeness(lists, asked, queryNorm);
      nearest = Math.max(nearest, likeness);
      const ofAction = votes.get(action.id) ?? new Votes();
      votes.set(action.id, ofAction);
      ofAction.add(weight * likeness ** NEARNESS, key);
    }
    const most = Math.max(...Array.from(votes.values(), ({ sum }) => sum));
    for (const [id, { sum }] of votes) points.set(id, (points.get(id) ?? 0) + (NEIGHBOURS_SHARE * nearest * sum) / (most + DOUBT));
    return { nearest, ofOneKey: new Set([...points.keys()].filter((id) => !votes.get(id)?.isShared)) };
  }

  /** Cosine, 0 to 1. */
  #likeness(lists: Uint32Array, asked: ReadonlySet<number | undefined>, queryNorm: number): number {
    let shared = 0;
    let all = 0;
    for (const list of lists) {
      const square = this.#rarity(list) ** 2;
      all += square;
      if (asked.has(list)) shared += square;
    }
    return shared / (queryNorm * Math.sqrt(all));
  }

  #rarity(list: number | undefined): number {
    const holders = list === undefined ? 0 : this.#postings.count(list);
    return Math.log(1 + this.#numbers.size / (holders + 0.5));
  }

  #textRarity(holders: number): number {
    return Math.log(1 + this.#actions.size / (holders + 0.5));
  }

  #example(number: number): Example {
    return this.#examples[number] as Example;
  }
}
