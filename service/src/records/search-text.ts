/** Normalises the text of a search, so that spellings of the same words count as one. */
import { visibleText } from '../payload/clean-text';

const MAX_CHARS = 200;
const HALF_A_PAIR = /[\uD800-\uDBFF]$/;

/** Lower case, NFC, one space between words, without invisible characters. Empty for a text without any character. */
export function searchText(query: string): string {
  const folded = visibleText(visibleText(query).toLowerCase()).replace(/\s+/g, ' ').trim();
  return folded.slice(0, MAX_CHARS).replace(HALF_A_PAIR, '').trimEnd();
}
