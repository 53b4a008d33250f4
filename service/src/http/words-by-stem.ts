import { stems } from '../catalog/search/tokenize';

/**
 * Returns a function that maps a stem to a word of the texts, such as `dai` -> `days`. The first text with such a word wins. A stem without a match
 * is returned unchanged.
 */
export function wordsByStem(...texts: string[]): (stem: string) => string {
  const words = new Map<string, string>();
  for (const [word] of texts.join('\n').matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [stem, ...others] = stems(word);
    if (stem !== undefined && others.length === 0 && !words.has(stem)) words.set(stem, word);
  }
  return (stem) => words.get(stem) ?? stem;
}
