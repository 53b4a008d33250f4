/** Widths of text in columns of a terminal: a CJK character and an emoji take two, a combining mark none. Texts are printable and have no tabs. */
import measure from 'fast-string-truncated-width';

const ELLIPSIS = '…';
const ASCII = /^[ -~]*$/;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return Array.from(characters.segment(text), ({ segment }) => measure(segment).width).reduce((sum, width) => sum + width, 0);
}

/** The text, or as many of its characters as fit with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let left = width - textWidth(ELLIPSIS);
  let end = 0;
  for (const { segment } of characters.segment(text)) {
    left -= measure(segment).width;
    if (left < 0) break;
    end += segment.length;
  }
  return text.slice(0, end) + ELLIPSIS;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** The first line of a text, cut. */
export function firstLine(text: string, width: number): string {
  const [line = ''] = text.trim().split('\n', 1);
  return cutToWidth(line.trimEnd(), width);
}
