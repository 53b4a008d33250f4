/** The gathering node's own work: the best ten of the ten of each shard, by score and then by id. */
import { randomOf } from '../search-eval/random.ts';

const RESULTS = 10;

interface Hit {
  id: string;
  score: number;
}

/** Milliseconds of each of `rounds` merges, of lists with made-up scores. */
export function mergeTimes(shards: number, rounds: number): number[] {
  const random = randomOf('merge');
  const lists = Array.from({ length: rounds }, () =>
    Array.from({ length: shards }, () => Array.from({ length: RESULTS }, () => ({ id: `toolkit__${random()}`, score: random() }))),
  );
  return lists.map((ofShards) => {
    const startedAt = performance.now();
    merge(ofShards);
    return performance.now() - startedAt;
  });
}

function merge(lists: readonly Hit[][]): Hit[] {
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, RESULTS);
}
