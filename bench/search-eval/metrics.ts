/**
 * How good one ranking is. Relevance is yes or no.
 *
 * Shape:  each figure is 0 to 1. `mrr` uses the first ten.
 * Source: nDCG as in Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002), gains 0 and 1.
 */
export const METRICS = ['ndcg10', 'recall1', 'recall3', 'recall5', 'recall10', 'mrr', 'hit1'] as const;
export type Metric = (typeof METRICS)[number];
export type Figures = Record<Metric, number>;

/** The number of results that count. */
export const DEPTH = 10;

/** @param relevant at least one; an id that no catalogue holds counts as not found */
export function figuresOf(ranking: readonly string[], relevant: ReadonlySet<string>): Figures {
  const hits = ranking.slice(0, DEPTH).map((id) => relevant.has(id));
  const found = (k: number) => hits.slice(0, k).filter(Boolean).length;
  const recall = (k: number) => found(k) / relevant.size;
  const first = hits.indexOf(true);
  return {
    ndcg10: gain(hits) / gain(Array(Math.min(relevant.size, DEPTH)).fill(true)),
    recall1: recall(1),
    recall3: recall(3),
    recall5: recall(5),
    recall10: recall(10),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    hit1: found(1),
  };
}

function gain(hits: readonly boolean[]): number {
  return hits.reduce((sum, hit, index) => sum + (hit ? 1 / Math.log2(index + 2) : 0), 0);
}
