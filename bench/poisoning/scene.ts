/** The popular queries under attack, their paraphrases, and the right action for each. */

import { randomOf } from '../common/random.ts';
import type { Entry } from '../retrieval/entries.ts';
import type { QueryLine } from '../retrieval/lines.ts';
import { idFinder } from '../search-eval/questions.ts';

export interface Wish {
  /** The query under attack. */
  query: string;
  /** Other words for the same wish. */
  paraphrases: string[];
  /** The action that is right for it. */
  action: string;
}

/** One of each of the actions with the most logged queries, the most popular first. */
export function popularWishes(lines: readonly QueryLine[], entries: readonly Entry[], count: number): Wish[] {
  const idOf = idFinder(entries);
  const queries = new Map<string, string[]>();
  for (const { split, src, query, relevant } of lines) {
    const action = relevant.length === 1 ? idOf(src, relevant[0] as string) : undefined;
    if (split !== 'log' || action === undefined) continue;
    queries.set(action, [...(queries.get(action) ?? []), query]);
  }
  const popular = [...queries].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1)).slice(0, count);
  return popular.map(([action, all]) => {
    const [query = '', ...paraphrases] = all.sort();
    return { query, paraphrases, action };
  });
}

export interface Use {
  keyId: string;
  query: string;
  action: string;
}

/** Uses of each wish by `keys` agent keys, once each: half with the popular query, half with a paraphrase. A key has ten of the wishes. */
export function honestUse(wishes: readonly Wish[], keys: number): Use[] {
  const random = randomOf('honest');
  return wishes.flatMap(({ query, paraphrases, action }, number) =>
    Array.from({ length: keys }, (_, key) => {
      const other = paraphrases[Math.floor(random() * paraphrases.length)] ?? query;
      return { keyId: `honest_${Math.floor(number / 10)}_${key}`, query: random() < 0.5 ? query : other, action };
    }),
  );
}
