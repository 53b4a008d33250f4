/**
 * Measures how well golden queries find their actions.
 *
 * Units:  recall@k: of the actions of a query, the share among the first k results; MRR: 1 / rank of the first of them, 0 beyond 50 results. Both are
 *         means over the queries.
 */
import type { GoldenQuery } from './golden-file';

export interface GoldenMiss {
  query: string;
  line: number;
  /** An action that is not among the first k. */
  action: string;
  /** Counts from 1; null if the action is not among the results. */
  rank: number | null;
  /** The results before the action, best first; at most k. */
  outrankedBy: string[];
}

export interface GoldenResult {
  k: number;
  queries: number;
  recall: number;
  recallAt1: number;
  mrr: number;
  misses: GoldenMiss[];
}

/** @param search action ids, best first */
export async function runGolden(
  golden: readonly GoldenQuery[],
  { k, search }: { k: number; search: (query: string) => Promise<string[]> },
): Promise<GoldenResult> {
  const misses: GoldenMiss[] = [];
  let [recall, recallAt1, reciprocalRanks] = [0, 0, 0];
  for (const { query, actions, line } of golden) {
    const found = await search(query);
    const places = actions.map((action) => found.indexOf(action));
    recall += share(places, k);
    recallAt1 += share(places, 1);
    const first = Math.min(...places.filter((place) => place >= 0));
    reciprocalRanks += 1 / (first + 1);
    for (const [i, action] of actions.entries()) {
      const place = places[i] ?? -1;
      if (place >= 0 && place < k) continue;
      const before = place < 0 ? found : found.slice(0, place);
      const outrankedBy = before.filter((id) => !actions.includes(id)).slice(0, k);
      misses.push({ query, line, action, rank: place < 0 ? null : place + 1, outrankedBy });
    }
  }
  const count = golden.length;
  return { k, queries: count, recall: recall / count, recallAt1: recallAt1 / count, mrr: reciprocalRanks / count, misses };
}

function share(places: readonly number[], k: number): number {
  return places.filter((place) => place >= 0 && place < k).length / places.length;
}
