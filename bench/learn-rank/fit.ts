/**
 * Learns the weights of the second stage: the probability of the relevant candidates under a softmax over all of the query becomes as large as can be.
 *
 * Shape:  weights of at least 0, in units of that of `words`. Each source has the same weight, for any number of queries.
 * Source: Cao and others, "Learning to Rank: From Pairwise Approach to Listwise Approach" (2007); Kingma and Ba, "Adam" (2015).
 */
import { FEATURES, type Feature, type RankWeights } from '../../service/src/catalog/search/index.ts';
import type { JudgedList } from './judged-lists.ts';

const STEPS = 300;
const STEP_SIZE = 0.1;
const DECAY = { mean: 0.9, square: 0.99 };
const SMALLEST = 1e-8;
const ROW = FEATURES.length;
/** Queries with known answers have neither vectors nor annotations, nor a past. */
const KEPT: ReadonlySet<Feature> = new Set(['meaning', 'effect', 'usage']);

/** @param known the weights to begin with; those of `meaning`, `effect` and `usage` stay */
export function fitWeights(lists: readonly JudgedList[], known: RankWeights): RankWeights {
  const learnable = lists.filter(({ relevant }) => relevant.includes(true) && relevant.includes(false));
  const perSource = new Map<string, number>();
  for (const { src } of learnable) perSource.set(src, (perSource.get(src) ?? 0) + 1);
  // A softmax needs a separate scale.
  const weights = FEATURES.map((feature) => 4 * known[feature]);
  const means = new Float64Array(ROW);
  const squares = new Float64Array(ROW);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = new Float64Array(ROW);
    for (const list of learnable) addGradient(list, weights, 1 / ((perSource.get(list.src) as number) * perSource.size), gradient);
    for (let feature = 0; feature < ROW; feature++) {
      const slope = KEPT.has(FEATURES[feature] as Feature) ? 0 : (gradient[feature] as number);
      means[feature] = DECAY.mean * (means[feature] as number) + (1 - DECAY.mean) * slope;
      squares[feature] = DECAY.square * (squares[feature] as number) + (1 - DECAY.square) * slope ** 2;
      const mean = (means[feature] as number) / (1 - DECAY.mean ** step);
      const square = (squares[feature] as number) / (1 - DECAY.square ** step);
      weights[feature] = Math.max(SMALLEST, (weights[feature] as number) + (STEP_SIZE * mean) / (Math.sqrt(square) + SMALLEST));
    }
  }
  const unit = weights[FEATURES.indexOf('words')] as number;
  const learned = FEATURES.map((feature, place) => [feature, KEPT.has(feature) ? known[feature] : (weights[place] as number) / unit]);
  return Object.fromEntries(learned) as RankWeights;
}

/** Adds the slope of the log-probability of the relevant candidates, the mean over them. */
function addGradient({ rows, relevant }: JudgedList, weights: readonly number[], share: number, gradient: Float64Array): void {
  const sums = relevant.map((_, candidate) => sumOf(rows, candidate, weights));
  const highest = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - highest));
  const all = odds.reduce((sum, one) => sum + one, 0);
  const found = relevant.filter(Boolean).length;
  for (let candidate = 0; candidate < sums.length; candidate++) {
    const pull = (relevant[candidate] ? 1 / found : 0) - (odds[candidate] as number) / all;
    for (let feature = 0; feature < ROW; feature++)
      (gradient[feature] as number) += share * pull * (rows[candidate * ROW + feature] as number);
  }
}

export function sumOf(rows: Float64Array, candidate: number, weights: readonly number[]): number {
  let sum = 0;
  for (let feature = 0; feature < ROW; feature++) sum += (weights[feature] as number) * (rows[candidate * ROW + feature] as number);
  return sum;
}
