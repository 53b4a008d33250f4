import { stems } from '../catalog/search/tokenize';

/**
 * A function from a stem to the word that it comes from, for people: `dai` -> `days`. The first text with such a word wins; a stem of several words
 * stays a stem.
 */
export function wordsByStem(...texts: string[]): (stem: string) => string {
  const words = new Map<string, string>();
  for (const [word] of texts.join('\n').matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [stem, ...others] = stems(word);
    if (stem !== undefined && others.length === 0 && !words.has(stem)) words.set(stem, word);
  }
  return (stem) => words.get(stem) ?? stem;
}
