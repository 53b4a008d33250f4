/**
 * Several rankings as one: each gives an id 1 / (60 + its place), the sum decides, equal sums are ordered by id.
 *
 * Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (SIGIR 2009), with
 *         their constant.
 */
const CONSTANT = 60;

export function fuseByReciprocalRank(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (CONSTANT + index + 1));
  }
  return [...scores].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1)).map(([id]) => id);
}
