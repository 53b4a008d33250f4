/**
 * What agents did after a query: past queries with the action that served each, and what they say about a new query.
 *
 * Shape:  two views of the same examples, for neither alone is enough. The nearest past queries vote for their actions, which finds the right
 *         one among many; and all past queries of an action together are a text about it, which holds where no single one is near.
 * Units:  points are shares of a perfect lexical match, so that they can be added to one: the more alike the past queries are and the more they
 *         agree, the more they say; nothing alike says nothing.
 * Source: nearest neighbours by cosine of idf-weighted terms; how much of an action's past queries hold a term is saturated as in BM25.
 */
import { PostingLists } from './posting-lists';
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
}

/** Past queries that vote: more of them are less alike and only add noise. */
const NEIGHBOURS = 16;
/** Candidates whose likeness is worked out exactly. */
const CANDIDATES = 64;
/** How much more a near query counts than one half as near: likeness to this power. */
const NEARNESS = 3;
/** Votes of a query that is hardly like any other are held back by this much likeness. */
const DOUBT = 0.08;
/** What the neighbours, and the texts of past queries, may add at most: in perfect lexical matches. */
const NEIGHBOURS_SHARE = 2;
const TEXT_SHARE = 1.6;
/** BM25's saturation of a term in the past queries of an action, for few of them and for each more. */
const FEW = 0.5;
const EACH_MORE = 0.05;
/** Postings that one query looks at, the rarest terms first: bounds its time. */
const MAX_POSTINGS = 50_000;

interface Example {
  id: string;
  action: UsedAction;
  /** Numbers of its terms. */
  terms: Uint32Array;
  weight: number;
}

interface UsedAction {
  id: string;
  /** Of all its examples. */
  weight: number;
  examples: number;
  /** Of its examples that hold the term that is looked at. */
  tally: number;
  /** What the texts of its past queries say about the query that is looked at. */
  text: number;
}

export class UsageIndex {
  readonly #termsOf: (query: string) => string[];
  readonly #postings = new PostingLists();
  readonly #numbers = new Map<string, number>();
  /** By example number. */
  readonly #examples: (Example | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  readonly #actions = new Map<string, UsedAction>();

  /** @param termsOf makes the terms of a query; they may be hashes of those that `usageTerms` gives */
  constructor(termsOf: (query: string) => string[] = usageTerms) {
    this.#termsOf = termsOf;
  }

  /** Number of examples. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Adds an example, or replaces the one with its id. */
  set({ id, action, terms, weight }: UsageExample): void {
    this.remove(id);
    const number = this.#freeNumbers.pop() ?? this.#examples.length;
    const used = this.#actions.get(action) ?? { id: action, weight: 0, examples: 0, tally: 0, text: 0 };
    this.#actions.set(action, used);
    used.weight += weight;
    used.examples += 1;
    const termNumbers = Uint32Array.from(new Set(terms), (text) => this.#postings.add(term(text), number, 1));
    this.#examples[number] = { id, action: used, terms: termNumbers, weight };
    this.#numbers.set(id, number);
  }

  /** An id that is not there is no fault. */
  remove(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    const { action, terms, weight } = this.#example(number);
    for (const term of terms) this.#postings.remove(term, number);
    action.weight -= weight;
    action.examples -= 1;
    if (action.examples === 0) this.#actions.delete(action.id);
    this.#examples[number] = undefined;
    this.#numbers.delete(id);
    this.#freeNumbers.push(number);
  }

  /** Action id -> points above 0. */
  points(query: string): Map<string, number> {
    const points = new Map<string, number>();
    if (this.#numbers.size === 0) return points;
    const terms = this.#termsOf(query);
    const alike = new Map<number, number>();
    const touched = new Set<UsedAction>();
    const textMass = this.#collect(terms, alike, touched);
    for (const action of touched) {
      points.set(action.id, (TEXT_SHARE * action.text) / textMass);
      action.text = 0;
    }
    for (const [action, share] of this.#votes(terms, alike)) points.set(action.id, (points.get(action.id) ?? 0) + share);
    return points;
  }

  /** Fills in what examples share with the query, and what the texts of actions say; returns what a text could say at most. */
  #collect(terms: readonly string[], alike: Map<number, number>, touched: Set<UsedAction>): number {
    const known = terms.map((text) => this.#postings.find(term(text))).filter((list) => list !== undefined);
    known.sort((a, b) => this.#postings.count(a) - this.#postings.count(b));
    let textMass = (terms.length - known.length) * this.#textRarity(0);
    let looked = 0;
    for (const term of known) {
      looked += this.#postings.count(term);
      if (looked > MAX_POSTINGS) break;
      const squaredRarity = this.#rarity(term) ** 2;
      const holders = new Set<UsedAction>();
      for (const number of this.#postings.documents(term)) {
        const { action, weight } = this.#example(number);
        alike.set(number, (alike.get(number) ?? 0) + squaredRarity);
        action.tally += weight;
        holders.add(action);
      }
      const rarity = this.#textRarity(holders.size);
      textMass += rarity;
      for (const action of holders) {
        action.text += (rarity * action.tally) / (action.tally + FEW + EACH_MORE * action.weight);
        action.tally = 0;
        touched.add(action);
      }
    }
    return textMass;
  }

  #votes(terms: readonly string[], alike: Map<number, number>): Map<UsedAction, number> {
    const queryNorm = Math.sqrt(terms.reduce((sum, text) => sum + this.#rarity(this.#postings.find(term(text))) ** 2, 0));
    const candidates = largest(
      Array.from(alike, ([number, shared]) => ({ number, value: shared / Math.sqrt(this.#example(number).terms.length) })),
      CANDIDATES,
      (a, b) => this.#comesFirst(a, b),
    );
    const neighbours = largest(
      candidates.map(({ number }) => ({ number, value: (alike.get(number) as number) / (queryNorm * this.#norm(number)) })),
      NEIGHBOURS,
      (a, b) => this.#comesFirst(a, b),
    );
    const votes = new Map<UsedAction, number>();
    let mass = 0;
    for (const { number, value } of neighbours) {
      const { action, weight } = this.#example(number);
      const vote = weight * value ** NEARNESS;
      mass += vote;
      votes.set(action, (votes.get(action) ?? 0) + vote);
    }
    const nearest = neighbours[0]?.value ?? 0;
    for (const [action, vote] of votes) votes.set(action, (NEIGHBOURS_SHARE * nearest * vote) / (mass + DOUBT));
    return votes;
  }

  #norm(number: number): number {
    let sum = 0;
    for (const term of this.#example(number).terms) sum += this.#rarity(term) ** 2;
    return Math.sqrt(sum);
  }

  #rarity(term: number | undefined): number {
    const holders = term === undefined ? 0 : this.#postings.count(term);
    return Math.log(1 + this.#numbers.size / (holders + 0.5));
  }

  #textRarity(holders: number): number {
    return Math.log(1 + this.#actions.size / (holders + 0.5));
  }

  #comesFirst(a: number, b: number): boolean {
    return this.#example(a).id < this.#example(b).id;
  }

  #example(number: number): Example {
    return this.#examples[number] as Example;
  }
}

interface Valued {
  number: number;
  value: number;
}

/** The `count` largest, largest first; equal ones by `comesFirst`, so that the order does not depend on when an example came. */
function largest(items: Valued[], count: number, comesFirst: (a: number, b: number) => boolean): Valued[] {
  return items.sort((a, b) => b.value - a.value || (comesFirst(a.number, b.number) ? -1 : 1)).slice(0, count);
}
