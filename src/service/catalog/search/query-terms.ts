/**
 * A query as weighted terms. What widens a query belongs here.
 *
 * Shape:  term -> weight, 1 for a word that was asked for.
 */
import { tokenize } from './tokenize';

/** A name counts as much as a word; neighbours only say that the words belong together. */
const PAIR_WEIGHT = 0.4;

export function queryTerms(query: string): Map<string, number> {
  const { words, joined, pairs } = tokenize(query);
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, 1);
  for (const name of joined) terms.set(name, 1);
  for (const pair of pairs) if (!terms.has(pair)) terms.set(pair, PAIR_WEIGHT);
  return terms;
}
