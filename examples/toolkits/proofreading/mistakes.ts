/** Mistakes that no dictionary is needed for. */
export interface Mistake {
  /** The characters before it. */
  at: number;
  found: string;
  instead: string;
}

const RULES: [pattern: RegExp, instead: string][] = [
  // A doubled word, such as "the the".
  [/\b(\p{L}+)\s+\1\b/giu, '$1'],
  // A space before a comma or a full stop.
  [/\s+([,.])/g, '$1'],
  // Two spaces or more.
  [/(?<=\S) {2,}(?=\S)/g, ' '],
];

/** Mistakes, in the order of the text. */
export function findMistakes(text: string): Mistake[] {
  const mistakes = RULES.flatMap(([pattern, instead]) =>
    Array.from(text.matchAll(pattern), (match) => ({ at: match.index, found: match[0], instead: instead.replace('$1', match[1] ?? '') })),
  );
  return mistakes.sort((a, b) => a.at - b.at);
}
