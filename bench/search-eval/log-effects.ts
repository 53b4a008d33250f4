/**
 * The effect of a log: each query without and with it.
 *
 * Shape:  better and worse are by nDCG@10. A query with several relevant actions counts by the one with the least history.
 */
import type { Answer } from './evaluate.ts';

const TOP = 5;
/** Logged searches of an action, at least. */
const HISTORY_FROM = [0, 1, 5, 20];

export interface LogEffect {
  queries: number;
  firstChanged: number;
  /** Queries whose first five are others, or in another order. */
  topFiveChanged: number;
  better: number;
  worse: number;
  ndcg10: { lexical: number; withUsage: number };
}

export interface LogEffects {
  /** All queries alike. */
  total: LogEffect;
  sources: Record<string, LogEffect>;
  /** Effects by the number of logged searches of the relevant action: `0`, `1-4`, `5-19`, `20+`. */
  history: Record<string, LogEffect>;
}

interface Pair {
  before: Answer;
  after: Answer;
}

/** @param lexical and `withUsage` answer the same questions in the same order */
export function effectsOf(lexical: readonly Answer[], withUsage: readonly Answer[], history: ReadonlyMap<string, number>): LogEffects {
  const pairs = lexical.map((before, index) => ({ before, after: withUsage[index] as Answer }));
  const leastHistory = ({ before }: Pair) => Math.min(...Array.from(before.question.relevant, (id) => history.get(id) ?? 0));
  const buckets = HISTORY_FROM.map((from, index) => {
    const below = HISTORY_FROM[index + 1] ?? Number.POSITIVE_INFINITY;
    return [bucketName(from, below), effectOf(pairs.filter((pair) => leastHistory(pair) >= from && leastHistory(pair) < below))] as const;
  });
  const sources = Object.entries(Object.groupBy(pairs, ({ before }) => before.src));
  return {
    total: effectOf(pairs),
    sources: Object.fromEntries(sources.map(([src, own = []]) => [src, effectOf(own)])),
    history: Object.fromEntries(buckets.filter(([, { queries }]) => queries > 0)),
  };
}

function effectOf(pairs: readonly Pair[]): LogEffect {
  const count = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length;
  const mean = (figureOf: (pair: Pair) => number) => pairs.reduce((sum, pair) => sum + figureOf(pair), 0) / pairs.length;
  return {
    queries: pairs.length,
    firstChanged: count(({ before, after }) => before.ranking[0] !== after.ranking[0]),
    topFiveChanged: count(({ before, after }) => before.ranking.slice(0, TOP).join() !== after.ranking.slice(0, TOP).join()),
    better: count(({ before, after }) => after.figures.ndcg10 > before.figures.ndcg10),
    worse: count(({ before, after }) => after.figures.ndcg10 < before.figures.ndcg10),
    ndcg10: { lexical: mean(({ before }) => before.figures.ndcg10), withUsage: mean(({ after }) => after.figures.ndcg10) },
  };
}

function bucketName(from: number, below: number): string {
  if (below === Number.POSITIVE_INFINITY) return `${from}+`;
  return below === from + 1 ? String(from) : `${from}-${below - 1}`;
}
