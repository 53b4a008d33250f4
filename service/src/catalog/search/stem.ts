/**
 * The stem of an English word: `invoices` and `invoicing` -> `invoic`. Words that do not look English stay unchanged.
 *
 * Source: Porter, "An algorithm for suffix stripping" (1980), by the `stemmer` package.
 */
import { stemmer } from 'stemmer';

/** Its rules are regular expressions that backtrack, and no English word is longer. */
const STEMMABLE = /^[a-z]{3,24}$/;
/** Names and descriptions share a small vocabulary; remembering stems makes indexing several times faster. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, string>();

/** @param word in lower case */
export function stem(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (!STEMMABLE.test(word)) return word;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const stemmed = stemmer(word);
  remembered.set(word, stemmed);
  return stemmed;
}
