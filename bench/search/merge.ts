/** The gathering node's own work: the best ten of the ten of each shard, by score and then by id. */

import { randomOf } from '../common/random.ts';
import { StopWatch, type Times } from '../retrieval/stop-watch.ts';

const RESULTS = 10;

interface Hit {
  id: string;
  score: number;
}

/** Times of `rounds` merges of lists with synthetic scores. */
export function mergeTimes(shards: number, rounds: number): Times {
  const random = randomOf('merge');
  const lists = Array.from({ length: rounds }, () =>
    Array.from({ length: shards }, () => Array.from({ length: RESULTS }, () => ({ id: `toolkit__${random()}`, score: random() }))),
  );
  const watch = new StopWatch();
  for (const ofShards of lists) watch.time(() => merge(ofShards));
  return watch.times;
}

function merge(lists: readonly Hit[][]): Hit[] {
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, RESULTS);
}
