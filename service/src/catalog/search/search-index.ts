/**
 * Search over actions: BM25F over their texts, then a second stage with the votes of similar past queries; names that match exactly come first.
 *
 * Shape:  a result depends on the documents and the usage that are in the index now and on nothing else: not on their order, nor on what was there
 *         before.
 */
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import { DocumentLists } from './document-lists';
import { documentTerms, type SearchDocument } from './document-terms';
import { type Effect, effectOfAction, effectOfQuery } from './effects';
import { type ExactName, type Explanation, explainTerms, MAX_ABOVE, missingWords, type WeighedTerm } from './explanation';
import { IMPACT_BITS, MAX_DOCUMENTS } from './posting';
import { PostingLists } from './posting-lists';
import { type QueryTerm, queryTerms } from './query-terms';
import { DEFAULT_RANK_WEIGHTS, type RankWeights } from './rank-weights';
import { ScoreBoard } from './score-board';
import { CANDIDATES, type JudgedCandidates, type Meaning, SecondStage } from './second-stage';
import { Spellings } from './spellings';
import { term } from './term';
import { squeeze, stems } from './tokenize';
import { UsageIndex, type UsageVotes } from './usage-index';

export interface RankingOptions {
  /** How many ids at most. */
  limit: number;
  /** Whether an action may be in the result; checked before the cut to `limit`. */
  accept?: (id: string) => boolean;
}

export interface MeaningOptions extends RankingOptions {
  /** Nearness by vectors. Default: words alone. */
  meaning?: Meaning | undefined;
}

/** A term of a query that the index holds. */
interface FoundTerm extends WeighedTerm {
  list: number;
}

/** A number of postings. */
interface Bounds {
  finding: number;
  telling: number;
}
const UNBOUNDED: Bounds = { finding: Number.POSITIVE_INFINITY, telling: Number.POSITIVE_INFINITY };

type BoundedOptions = Required<RankingOptions> & Pick<MeaningOptions, 'meaning'> & { bounds: Bounds };

/** A query against what the index holds now. */
interface WeighedQuery {
  text: string;
  asked: QueryTerm[];
  /** The most telling first. */
  terms: FoundTerm[];
  /** Points of an action that is about the words of the query and nothing else. */
  perfectScore: number;
}

/** Terms of one query that are looked at, the most telling first: bounds what a hostile query costs. */
const MAX_QUERY_TERMS = 160;
/**
 * Postings after which the other terms only order the actions found so far, and after which they are not read: as shares of the
 * catalogue, and at least as many. Words that thousands of actions hold find none that matter. In 51,000 actions it costs .0015 of
 * nDCG@10 beside nearly twice as many.
 */
const BOUNDS = { finding: { share: 0.08, least: 4_000 }, telling: { share: 0.4, least: 20_000 } };
/** A misspelled word counts less than a right one; more corrections than this are no longer slips. */
const CORRECTED_WEIGHT = 0.7;
const MAX_CORRECTED = 3;
/** More than any sum of other points: an id names one action and nothing else. */
const SAME_ID_POINTS = 2e6;
const ID_POINTS = 1e6;
/**
 * The points of a query that is the whole name of an action, or of a toolkit: in weights of the second stage. Above what words can reach, and below
 * the use of many agents: any toolkit may call an action "send email".
 */
const NAME_WEIGHT = { name: 3, toolkit: 1.7 };
/**
 * An action without a word of the query, and with the evidence of one agent key alone, ranks behind all that match: one key may be many agents, of
 * which
 * one has erred. The factor applies to its votes; below anything that a word can score.
 */
const BEHIND_WORDS = 1e-9;

export class SearchIndex {
  readonly #usage: UsageIndex;
  readonly #postings = new PostingLists();
  readonly #spellings = new Spellings();
  readonly #scores = new ScoreBoard();
  readonly #documents = new Map<string, number>();
  /** Keyed by document number. */
  readonly #ids: (string | undefined)[] = [];
  /** Keyed by document number. */
  readonly #effects: Effect[] = [];
  readonly #freeDocuments: number[] = [];
  readonly #lists = new DocumentLists();
  readonly #secondStage: SecondStage;

  constructor(usage = new UsageIndex(), weights: RankWeights = DEFAULT_RANK_WEIGHTS) {
    this.#usage = usage;
    const rarity = (list: number | undefined) => this.#rarity(list === undefined ? 0 : this.#postings.count(list));
    this.#secondStage = new SecondStage({ lists: this.#lists, rarity, find: (one) => this.#postings.find(one) }, weights);
  }

  /** Adds an action, or replaces the one with its id. Throws RangeError when the index is full. */
  upsert(document: SearchDocument): void {
    this.remove(document.id);
    const number = this.#freeDocuments.pop() ?? this.#ids.length;
    if (number === MAX_DOCUMENTS) throw new RangeError(`One index holds ${MAX_DOCUMENTS} actions at most`);
    const { terms, impacts, words, counts } = documentTerms(document);
    const names = [...Array.from(wholeNames(document), ([name, kind]) => wholeName(kind, name)), nameWords(document.name)].filter(
      (name) => !terms.includes(name),
    );
    const lists = this.#lists.add(number, terms.length + names.length, counts);
    for (let i = 0; i < terms.length; i++) lists[i] = this.#postings.add(terms[i] as number, number, impacts[i] as number);
    for (let i = 0; i < names.length; i++) lists[terms.length + i] = this.#postings.add(names[i] as number, number, 1);
    for (const word of words) this.#spellings.add(word.spelling, word.term);
    this.#ids[number] = document.id;
    this.#effects[number] = effectOfAction(document.annotations ?? {});
    this.#documents.set(document.id, number);
    this.#scores.reserve(this.#ids.length);
  }

  /** An id that is not there is no fault. */
  remove(id: string): void {
    const number = this.#documents.get(id);
    if (number === undefined) return;
    for (const list of this.#lists.of(number)) {
      const emptied = this.#postings.remove(list, number);
      if (emptied !== undefined) this.#spellings.remove(emptied);
    }
    this.#lists.remove(number);
    this.#ids[number] = undefined;
    this.#documents.delete(id);
    this.#freeDocuments.push(number);
  }

  /** Ids of actions, best first; equal ones by id. */
  search(query: string, { limit, accept = () => true, meaning }: MeaningOptions): string[] {
    const weighed = this.#weighQuery(query);
    const bounds = this.#bounds();
    const found = this.#best(weighed, { limit, accept, meaning, bounds });
    const isShort = found.length < limit && this.#isHeld(weighed, bounds);
    return isShort ? this.#best(weighed, { limit, accept, meaning, bounds: UNBOUNDED }) : found;
  }

  /** The candidates of the second stage, best by words first, with the features of one after the other: to learn its weights from. */
  candidates(query: string): { ids: string[]; features: Float64Array } {
    try {
      const judged = this.#score(this.#weighQuery(query), { limit: CANDIDATES, accept: () => true, bounds: this.#bounds() });
      return { ids: (judged?.documents ?? []).map((document) => this.#id(document)), features: judged?.rows ?? new Float64Array() };
    } finally {
      this.#scores.clear();
    }
  }

  /** Ids of actions whose names have the same words, in whatever order; any of them where there are more than `limit`. */
  alike(name: string, { limit, accept = () => true }: RankingOptions): string[] {
    const list = this.#postings.find(nameWords(name));
    const ids: string[] = [];
    if (list === undefined) return ids;
    for (const posting of this.#postings.postings(list)) {
      const id = this.#id(posting >>> IMPACT_BITS);
      if (accept(id) && ids.push(id) >= limit) break;
    }
    return ids;
  }

  #best(query: WeighedQuery, options: BoundedOptions): string[] {
    try {
      this.#score(query, options);
      return this.#bestAccepted(options).map((document) => this.#id(document));
    } finally {
      this.#scores.clear();
    }
  }

  #bestAccepted({ limit, accept }: Required<RankingOptions>): number[] {
    const isAccepted = (document: number) => accept(this.#id(document));
    const best = this.#scores.best(limit, this.#comesFirst, () => true);
    // Most often all of them may be: a hundred others that were among the best on the way need not be asked about.
    return best.every(isAccepted) ? best : this.#scores.best(limit, this.#comesFirst, isAccepted);
  }

  /**
   * Why a search with these options finds an action, or does not.
   *
   * @param document as it was added
   */
  explain(query: string, document: SearchDocument, { limit, accept = () => true, meaning }: MeaningOptions): Explanation {
    const weighed = this.#weighQuery(query);
    const terms = explainTerms(document, weighed.terms);
    const exact = exactName(query, document);
    try {
      const number = this.#documents.get(document.id);
      if (number === undefined) throw new RangeError(`The index does not hold ${document.id}`);
      const bounds = this.#bounds();
      let judged = this.#score(weighed, { limit, accept, meaning, bounds });
      const isShort = () => this.#scores.score(number) === 0 || this.#scores.count((other) => accept(this.#id(other))) < limit;
      if (this.#isHeld(weighed, bounds) && isShort()) {
        this.#scores.clear();
        judged = this.#score(weighed, { limit, accept, meaning, bounds: UNBOUNDED });
      }
      const score = this.#scores.score(number);
      const isAbove = (other: number) => {
        const difference = this.#scores.score(other) - score;
        return (difference > 0 || (difference === 0 && this.#id(other) < document.id)) && accept(this.#id(other));
      };
      const above = this.#scores.best(MAX_ABOVE, this.#comesFirst, isAbove);
      const features = judged ? this.#secondStage.explain(judged, number) : [];
      const use = features.find(({ feature }) => feature === 'usage');
      return {
        rank: score > 0 ? this.#scores.count(isAbove) + 1 : null,
        score,
        ...(exact && { exact }),
        features,
        terms,
        missing: missingWords(weighed.asked, weighed.terms, terms),
        usage: use && judged ? use.value * use.weight * judged.unit : 0,
        above: above.map((other) => ({ action: this.#id(other), score: this.#scores.score(other) })),
      };
    } finally {
      this.#scores.clear();
    }
  }

  #score(query: WeighedQuery, options: BoundedOptions): JudgedCandidates | undefined {
    const { finding, telling } = options.bounds;
    let looked = 0;
    for (const { list, factor } of query.terms) {
      if (looked > telling) break;
      const count = this.#postings.count(list);
      if (looked > 0 && looked + count > finding) this.#postings.raiseScores(list, factor, this.#scores);
      else this.#postings.addScores(list, factor, this.#scores);
      looked += count;
    }
    const usage = this.#usage.votes(query.text);
    const judged = this.#judge(query, usage, options);
    this.#addOfOneKey(usage);
    this.#addExact(query, judged);
    return judged;
  }

  /** Once the words have scored: gives the best of them the points of the second stage. */
  #judge(
    { text, asked, terms, perfectScore }: WeighedQuery,
    { votes, nearest, ofOneKey }: UsageVotes,
    { accept, meaning }: BoundedOptions,
  ): JudgedCandidates | undefined {
    if (!this.#secondStage.changes(meaning, { votes })) return undefined;
    const documents = this.#bestAccepted({ limit: CANDIDATES, accept });
    const byWords = documents.length;
    for (const id of meaning?.nearest ?? []) {
      const document = this.#documents.get(id);
      if (document !== undefined && this.#scores.score(document) === 0) documents.push(document);
    }
    const byText = documents.length;
    const found = new Set(documents);
    const counted = new Map<string, number>();
    for (const [id, value] of votes) {
      const document = this.#documents.get(id);
      if (document === undefined || (ofOneKey.has(id) && this.#scores.score(document) === 0) || !accept(id)) continue;
      counted.set(id, value);
      if (!found.has(document)) documents.push(document);
    }
    if (documents.length === 0) return undefined;
    const scores = Float64Array.from(documents, (document) => this.#scores.score(document));
    const ids = documents.map((document) => this.#id(document));
    const effects = { asked: effectOfQuery(text), does: documents.map((document) => this.#effects[document] as Effect) };
    const usage = { votes: counted, nearest };
    const judged = this.#secondStage.judge({
      asked,
      terms,
      documents,
      byWords,
      byText,
      scores,
      ids,
      effects,
      meaning,
      usage,
      perfectScore,
    });
    for (const [i, document] of documents.entries()) this.#scores.set(document, judged.points[i] as number);
    return judged;
  }

  /** Actions that were not found by words or meaning, and that one key alone has used. */
  #addOfOneKey({ votes, ofOneKey }: UsageVotes): void {
    for (const id of ofOneKey) {
      const document = this.#documents.get(id);
      if (document !== undefined && this.#scores.score(document) === 0)
        this.#scores.add(document, BEHIND_WORDS * (votes.get(id) as number));
    }
  }

  #addExact({ text, perfectScore }: WeighedQuery, judged: JudgedCandidates | undefined): void {
    const unit = judged?.unit ?? perfectScore;
    const sameId = this.#documents.get(text.trim());
    if (sameId !== undefined) this.#scores.add(sameId, SAME_ID_POINTS);
    const squeezed = squeeze(text);
    for (const kind of EXACT_KINDS) {
      const list = this.#postings.find(wholeName(kind, squeezed));
      if (list === undefined) continue;
      if (kind === 'id') this.#addNamed(list, ID_POINTS, (id) => squeeze(id) === squeezed);
      else if (kind === 'name') this.#addNamed(list, NAME_WEIGHT.name * unit, (id) => squeeze(nameIn(id)) === squeezed);
      else this.#postings.addScores(list, NAME_WEIGHT.toolkit * unit, this.#scores);
    }
  }

  /** Words and names that share a number with the query are made in no time, and nothing outweighs these points: the names themselves decide. */
  #addNamed(list: number, points: number, isNamed: (id: string) => boolean): void {
    for (const document of this.#postings.documents(list)) if (isNamed(this.#id(document))) this.#scores.add(document, points);
  }

  #bounds(): Bounds {
    const { finding, telling } = BOUNDS;
    const documents = this.#documents.size;
    return { finding: Math.max(finding.least, finding.share * documents), telling: Math.max(telling.least, telling.share * documents) };
  }

  /** Whether bounds change anything: most queries in a small catalogue stay within them. */
  #isHeld({ terms }: WeighedQuery, { finding, telling }: Bounds): boolean {
    return terms.reduce((sum, { list }) => sum + this.#postings.count(list), 0) > Math.min(finding, telling);
  }

  #weighQuery(text: string): WeighedQuery {
    const asked = queryTerms(text);
    const terms: FoundTerm[] = [];
    let perfectScore = 0;
    let corrected = 0;
    for (const queryTerm of asked) {
      const list = this.#postings.find(queryTerm.term);
      if (queryTerm.kind === 'word') perfectScore += queryTerm.weight * this.#rarity(list === undefined ? 0 : this.#postings.count(list));
      if (list !== undefined) terms.push(this.#weigh(queryTerm, list));
      else if (queryTerm.kind === 'word' && corrected < MAX_CORRECTED) {
        const right = this.#correct(queryTerm);
        if (!right) continue;
        corrected += 1;
        terms.push(right);
      }
    }
    terms.sort((a, b) => b.factor - a.factor || a.term - b.term);
    // A query of nothing but stop words may still be a name.
    return { text, asked, terms: terms.slice(0, MAX_QUERY_TERMS), perfectScore: perfectScore || 1 };
  }

  #weigh(queryTerm: QueryTerm, list: number): FoundTerm {
    const rarity = this.#rarity(this.#postings.count(list));
    const { standsFor, weight } = queryTerm;
    const original = standsFor === undefined ? undefined : this.#postings.find(standsFor);
    const most = original === undefined ? rarity : this.#rarity(this.#postings.count(original));
    const { term, spelling, kind, corrects } = queryTerm;
    return { term, spelling, weight, kind, standsFor, corrects, list, rarity, factor: weight * Math.min(rarity, most) };
  }

  /** The word of most actions that a word which no action has may be a slip of. */
  #correct(queryTerm: QueryTerm): FoundTerm | undefined {
    const near = this.#spellings
      .near(queryTerm.spelling)
      .map((spelling) => ({ ...queryTerm, term: term(spelling), spelling, weight: CORRECTED_WEIGHT, corrects: queryTerm.term }))
      .map((corrected) => this.#weigh(corrected, this.#postings.find(corrected.term) as number));
    return near.sort((a, b) => a.rarity - b.rarity || (a.spelling < b.spelling ? -1 : 1))[0];
  }

  /** Above 0, and higher the fewer actions hold a term: BM25's `idf`. */
  #rarity(holders: number): number {
    return Math.log(1 + (this.#documents.size - holders + 0.5) / (holders + 0.5));
  }

  /** The order of equal scores. */
  readonly #comesFirst = (a: number, b: number): boolean => this.#id(a) < this.#id(b);

  #id(document: number): string {
    return this.#ids[document] ?? '';
  }
}

const EXACT_KINDS: readonly ExactName[] = ['id', 'name', 'toolkit'];

function nameIn(id: string): string {
  return id.slice(id.indexOf(ACTION_ID_SEPARATOR) + ACTION_ID_SEPARATOR.length);
}

/** The term of a whole name: no tokenized word has such a mark. */
function wholeName(kind: ExactName, squeezed: string): number {
  return term(`${kind}=${squeezed}`);
}

/** The term of the words of a name, each once, in whatever order. */
function nameWords(name: string): number {
  return term(`words=${[...new Set(stems(name))].sort().join(' ')}`);
}

/** The names under which an action is found as a whole. */
function wholeNames({ id, name, toolkitId, toolkitName }: SearchDocument): Map<string, ExactName> {
  const names = new Map<string, ExactName>();
  // Later ones win: an action may be called like its toolkit.
  for (const toolkit of [toolkitId, toolkitName]) names.set(squeeze(toolkit), 'toolkit');
  names.set(squeeze(name), 'name');
  names.set(squeeze(id), 'id');
  names.delete('');
  return names;
}

function exactName(query: string, document: SearchDocument): ExactName | undefined {
  return query.trim() === document.id ? 'id' : wholeNames(document).get(squeeze(query));
}
