import { stems } from '../catalog/search/tokenize';

/** Stem -> the word that it comes from, for people: `dai` -> `days`; the first text that has one says it. What comes from no single word stays as it is. */
export function wordsAsWritten(...texts: string[]): (stem: string) => string {
  const written = new Map<string, string>();
  for (const [word] of texts.join('\n').matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [stem, ...others] = stems(word);
    if (stem !== undefined && others.length === 0 && !written.has(stem)) written.set(stem, word);
  }
  return (stem) => written.get(stem) ?? stem;
}
