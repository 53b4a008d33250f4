/** Counts the length of a text as platforms do, and finds characters that must not be cut. */

/** Telegram counts UTF-16 code units, most other platforms code points. */
export type TextUnit = 'utf16' | 'code-points';

/**
 * One visible character: a pair of regional indicators (a flag) or a code point, with its marks, modifiers and joined emoji. Simpler than
 * Unicode's grapheme clusters, so that languages without a segmenter in their standard library cut at the same places.
 */
const CHARACTER = /(?:\p{RI}\p{RI}|.)(?:\p{M}|[\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]|\u200d.)*/suy;

export function characterAt(text: string, index: number): string {
  CHARACTER.lastIndex = index;
  return CHARACTER.exec(text)?.[0] ?? '';
}

export function lengthIn(unit: TextUnit, text: string): number {
  return unit === 'utf16' ? text.length : [...text].length;
}
