/**
 * The second stage of a search: ranks the best by words anew, by how completely query and action answer each other, which a sum over words cannot
 * say. Linear, so that each feature explains itself.
 *
 * Shape:  features as in `RankWeights`. The sums become points in the range of the points by words; use alone reaches beyond it.
 */
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import type { DocumentLists } from './document-lists';
import { type Effect, effectFit } from './effects';
import { QueryMarks } from './query-marks';
import type { QueryTerm } from './query-terms';
import { FEATURES, type Feature, type RankWeights } from './rank-weights';
import type { UsageVotes } from './usage-index';

/** Candidates by words. */
export const CANDIDATES = 50;
/** The rest of a text describes less of its action. */
const TELLING_WORDS = { name: 12, description: 15 };
/** A synonym answers a word in part: one of the query, and one of the action. With half, the name "forecast" outranks the words "weather in a city". */
const SYNONYM_SHARE = { query: 0.5, text: 0.4 };
const BEST_OF_TOOLKIT = 3;
/** Where words find a hundred actions alike, the second stage still orders them. */
const MIN_RANGE = 0.1;
/** The same for candidates whose sums are nearly alike. */
const MIN_SPREAD = 1;
/** The last candidate has points too. */
const FLOOR = 0.02;
/** The points of the best when no action has a word of the query, in perfect scores. */
const MEANING_SHARE = 0.3;
/** Words of another language: where no candidate has this share of the query's words, meaning counts more, up to so many times as much. */
const FEW_WORDS = { share: 0.2, meaning: 3 };
/** Cosines that differ by less are the same, computed in another order. */
const SAME_COSINE = 1e-6;

const {
  words: WORDS,
  query: QUERY,
  name: NAME,
  description: DESCRIPTION,
  toolkit: TOOLKIT,
  effect: EFFECT,
  meaning: MEANING,
  usage: USAGE,
} = placesOf();
const ROW = FEATURES.length;
/**
 * Where an action answers the query well and no past query is quite the same, this much of the votes is held back at most: actions that no agent has
 * used yet keep their place.
 */
const MAX_HELD = 0.9;
/** How soon a past query counts as the same: likeness to this power. */
const SAMENESS = 3;
/** The features that show how well an action answers the query. */
const ANSWERS = [QUERY, NAME, DESCRIPTION];

/** Nearness to one query by vectors. */
export interface Meaning {
  /** Ids of the actions nearest to it. */
  nearest: readonly string[];
  /** Undefined for an action that has no vector yet. */
  cosine: (id: string) => number | undefined;
}

/** A term of the query that the index holds. */
interface MarkedTerm extends QueryTerm {
  list: number;
}

export interface Candidates {
  asked: readonly QueryTerm[];
  terms: readonly MarkedTerm[];
  /** Documents, the best by words first, then those that only meaning found, then those that only use found. */
  documents: readonly number[];
  /** How many words found. */
  byWords: number;
  /** How many words and meaning found. */
  byText: number;
  /** Points by words, of each. */
  scores: Float64Array;
  ids: readonly string[];
  /** The effect that the query requests, and that of each candidate. */
  effects: { asked: Effect; does: readonly Effect[] };
  meaning: Meaning | undefined;
  usage: Pick<UsageVotes, 'votes' | 'nearest'>;
  /** Points of an action that is about the words of the query and nothing else. */
  perfectScore: number;
}

export interface JudgedCandidates extends Pick<Candidates, 'documents'> {
  /** The features of each candidate, in the order of `FEATURES`, one candidate after the other. */
  rows: Float64Array;
  /** Points of each candidate above 0. */
  points: Float64Array;
  /** Points of a sum of 1. */
  unit: number;
}

/** A feature of one candidate; value × weight is its part in the rank. */
export interface FeatureValue {
  feature: Feature;
  value: number;
  weight: number;
}

export interface SecondStageDeps {
  lists: DocumentLists;
  /** The rarity of a term by its list; of one that no action has for undefined. */
  rarity: (list: number | undefined) => number;
  find: (term: number) => number | undefined;
}

export class SecondStage {
  readonly #deps: SecondStageDeps;
  readonly #weights: Float64Array;
  readonly #marks = new QueryMarks();
  /** Scratch, by word of the query. */
  #seen = new Float64Array(64);

  constructor(deps: SecondStageDeps, weights: RankWeights) {
    this.#deps = deps;
    this.#weights = Float64Array.from(FEATURES, (feature) => weights[feature]);
  }

  /** False when the order stays as it is. */
  changes(meaning: Meaning | undefined, { votes }: Pick<UsageVotes, 'votes'>): boolean {
    if (meaning !== undefined || votes.size > 0) return true;
    return this.#weights.some((weight, feature) => weight !== 0 && ![WORDS, MEANING, USAGE].includes(feature));
  }

  /** Expects one candidate or more. */
  judge(candidates: Candidates): JudgedCandidates {
    const { documents, usage } = candidates;
    const rows = this.#features(candidates);
    const sums = Float64Array.from(documents, (_, i) => this.#sum(rows, i));
    const scale = scaleOf(sums, candidates);
    if (usage.votes.size > 0) this.#addUsage(rows, sums, candidates);
    return { documents, rows, unit: scale.unit, points: sums.map((sum) => scale.highest - scale.unit * (scale.top - sum)) };
  }

  /** Adds the votes to the rows and the sums. */
  #addUsage(rows: Float64Array, sums: Float64Array, { ids, byWords, usage }: Candidates): void {
    const held = 1 - MAX_HELD * this.#bestAnswer(rows, byWords) * (1 - usage.nearest ** SAMENESS);
    for (const [i, id] of ids.entries()) {
      const value = held * (usage.votes.get(id) ?? 0);
      rows[i * ROW + USAGE] = value;
      (sums[i] as number) += (this.#weights[USAGE] as number) * value;
    }
  }

  /** How well the best by words answers the query, 0 to 1. */
  #bestAnswer(rows: Float64Array, byWords: number): number {
    const weights = this.#weights;
    const all = ANSWERS.reduce((sum, feature) => sum + (weights[feature] as number), 0);
    let best = 0;
    for (let i = 0; i < byWords; i++)
      best = Math.max(
        best,
        ANSWERS.reduce((sum, feature) => sum + (weights[feature] as number) * (rows[i * ROW + feature] as number), 0),
      );
    return all === 0 ? 0 : best / all;
  }

  /** Empty for a document that is not among the candidates. */
  explain({ documents, rows }: JudgedCandidates, document: number): FeatureValue[] {
    const i = documents.indexOf(document);
    if (i === -1) return [];
    const explained = FEATURES.map((feature, place) => {
      return { feature, value: rows[i * ROW + place] as number, weight: this.#weights[place] as number };
    });
    return explained.filter(({ value, weight }) => value !== 0 && weight !== 0);
  }

  #sum(rows: Float64Array, candidate: number): number {
    let sum = 0;
    for (let feature = 0; feature < ROW; feature++) sum += (this.#weights[feature] as number) * (rows[candidate * ROW + feature] as number);
    return sum;
  }

  #features({ asked, terms, documents, byText, scores, ids, effects, meaning }: Candidates): Float64Array {
    const rows = new Float64Array(documents.length * ROW);
    const rarities = this.#mark(asked, terms);
    const mass = rarities.reduce((sum, rarity) => sum + rarity, 0);
    if (rarities.length > this.#seen.length) this.#seen = new Float64Array(rarities.length);
    // Where no action has a word of the query, all are equal by words.
    const highest = scores[0] || 1;
    const toolkits = ids.map(toolkitIn);
    const ofToolkits = toolkitScores(toolkits, scores);
    const { lists } = this.#deps;
    /** The highest share of the query's words in one candidate by words or meaning. */
    let covered = 0;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i] as number;
      const at = i * ROW;
      const description = lists.descriptionStart(document);
      rows[at + WORDS] = (scores[i] as number) / highest;
      rows[at + QUERY] = this.#covered(document, rarities, mass);
      if (i < byText) covered = Math.max(covered, rows[at + QUERY] as number);
      rows[at + NAME] = this.#answered(
        lists.start(document),
        Math.min(lists.nameEnd(document), lists.start(document) + TELLING_WORDS.name),
        rarities,
      );
      rows[at + DESCRIPTION] = this.#answered(
        description,
        Math.min(lists.descriptionEnd(document), description + TELLING_WORDS.description),
        rarities,
      );
      rows[at + TOOLKIT] = (ofToolkits.get(toolkits[i] as string) as number) / highest;
      rows[at + EFFECT] = effectFit(effects.asked, effects.does[i] as Effect);
    }
    this.#marks.clear();
    if (meaning) addMeaning(rows, { ids, byText, meaning, covered });
    return rows;
  }

  /** Marks the lists that answer words of the query. Returns the rarity of each word; a number is a value for the payload. */
  #mark(asked: readonly QueryTerm[], terms: readonly MarkedTerm[]): Float64Array {
    const places = new Map<number, number>();
    const rarities: number[] = [];
    for (const { term, kind, weight } of asked) {
      if (kind !== 'word' || weight < 1) continue;
      places.set(term, rarities.length);
      rarities.push(this.#deps.rarity(this.#deps.find(term)));
    }
    for (const { kind, term, list, standsFor, corrects } of terms) {
      const isSynonym = kind === 'synonym';
      const place = places.get(isSynonym ? (standsFor as number) : (corrects ?? term));
      if (place !== undefined && (isSynonym || kind === 'word')) this.#marks.set(list, place, isSynonym);
    }
    return Float64Array.from(rarities);
  }

  /** The share of the query's words that are in the action, by rarity. */
  #covered(document: number, rarities: Float64Array, mass: number): number {
    const { lists } = this.#deps;
    const { items } = lists;
    const marks = this.#marks;
    const end = lists.end(document);
    let covered = 0;
    /** How far each word of the query is answered so far. */
    const seen = this.#seen.fill(0, 0, rarities.length);
    for (let i = lists.start(document); i < end; i++) {
      const mark = marks.get(items[i] as number);
      if (mark === 0) continue;
      const word = Math.abs(mark) - 1;
      const share = mark > 0 ? 1 : SYNONYM_SHARE.query;
      if (share <= (seen[word] as number)) continue;
      covered += (share - (seen[word] as number)) * (rarities[word] as number);
      seen[word] = share;
    }
    // Sums of another order may differ in the last digit.
    return mass === 0 ? 0 : Math.min(1, covered / mass);
  }

  /**
   * The share of some words of the action that are in the query, by rarity.
   *
   * @param from like `to` a place in the lists of all documents
   * @param rarities of the words of the query
   */
  #answered(from: number, to: number, rarities: Float64Array): number {
    const { lists, rarity } = this.#deps;
    const { items } = lists;
    let answered = 0;
    let all = 0;
    for (let i = from; i < to; i++) {
      const list = items[i] as number;
      const own = rarity(list);
      const mark = this.#marks.get(list);
      all += own;
      // A synonym counts at most as rare as the word of the query, as in the first stage.
      if (mark !== 0) answered += mark > 0 ? own : SYNONYM_SHARE.text * Math.min(own, rarities[-mark - 1] as number);
    }
    return all === 0 ? 0 : answered / all;
  }
}

/** Maps sums to points: the points of all other actions are below them, and the best without usage keeps the highest by words. */
function scaleOf(sums: Float64Array, { scores, byWords, perfectScore }: Candidates): { highest: number; top: number; unit: number } {
  const highest = scores[0] || MEANING_SHARE * perfectScore;
  const base = byWords < CANDIDATES ? 0 : (scores[byWords - 1] as number);
  const range = Math.max(highest - base, MIN_RANGE * highest);
  const top = Math.max(...sums);
  const spread = Math.max(top - Math.min(...sums), MIN_SPREAD);
  return { highest, top, unit: (range * (1 - FLOOR)) / spread };
}

/**
 * The mean of the best three candidates of each toolkit, by its id; a missing one counts nothing.
 *
 * @param toolkits the id of each candidate's
 */
function toolkitScores(toolkits: readonly string[], scores: Float64Array): Map<string, number> {
  const sums = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const [i, toolkit] of toolkits.entries()) {
    const count = counts.get(toolkit) ?? 0;
    if (count === BEST_OF_TOOLKIT) continue;
    counts.set(toolkit, count + 1);
    sums.set(toolkit, (sums.get(toolkit) ?? 0) + (scores[i] as number) / BEST_OF_TOOLKIT);
  }
  return sums;
}

/** As standard deviations from the mean, so that models whose cosines lie close together count as much as others. */
function addMeaning(
  rows: Float64Array,
  { ids, byText, meaning, covered }: { ids: readonly string[]; byText: number; meaning: Meaning; covered: number },
): void {
  const times = 1 + (FEW_WORDS.meaning - 1) * Math.max(0, 1 - covered / FEW_WORDS.share);
  const cosines = ids.map(meaning.cosine);
  // Actions that only use found lie far away by meaning: their number must not change the order of the others.
  const known = cosines.slice(0, byText).filter((one) => one !== undefined);
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / known.length);
  if (!(deviation > SAME_COSINE)) return;
  for (const [i, one] of cosines.entries()) if (one !== undefined) rows[i * ROW + MEANING] = (times * (one - mean)) / deviation;
}

function toolkitIn(id: string): string {
  return id.slice(0, id.indexOf(ACTION_ID_SEPARATOR));
}

function placesOf(): RankWeights {
  return Object.fromEntries(FEATURES.map((feature, place) => [feature, place])) as unknown as RankWeights;
}
