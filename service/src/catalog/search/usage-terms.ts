/**
 * A query as the terms by which past queries are compared with it: each once. Two queries are alike when they share words, and more so when they
 * share neighbours.
 */
import { tokenize } from './tokenize';

/** Separates two neighbouring words from one long word. */
const PAIR_MARK = '+';
/** More than any query of people or models has. Each is hashed in every search, and kept for each query that led to something. */
const MAX_TERMS = 200;

export function usageTerms(query: string): string[] {
  const tokens = tokenize(query);
  const words = tokens.words.map(({ spelling }) => spelling);
  const joined = tokens.joined.map(({ spelling }) => spelling);
  const pairs = words.slice(1).map((word, i) => PAIR_MARK + words[i] + word);
  return [...new Set([...words, ...joined, ...pairs])].slice(0, MAX_TERMS);
}
