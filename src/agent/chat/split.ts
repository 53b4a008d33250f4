/**
 * Splits a long text into several messages.
 *
 * Shape:  pieces in order, none blank. White space at a cut is dropped, and Windows line ends become `\n`. A fenced code block that must be
 *         cut is closed in one piece and reopened, with its language, in the next.
 * Units:  `limit` in code units of UTF-16, or in code points. Every piece respects the limit, except a single character that is longer.
 * Source: CommonMark 0.31, section 4.5, for code fences. `test/vectors/split.json` is the same for every language.
 */
import { CodeFence } from './code-fence';
import { characterAt, lengthIn, type TextUnit } from './text-units';

/**
 * Cuts at the end of a paragraph, else of a line, else of a line of code, else of a word, and never within a character. A cut in the first half of
 * the limit is made only if no word ends in the second half.
 */
export function split(text: string, limit: number, unit: TextUnit = 'utf16'): string[] {
  const pieces: string[] = [];
  let rest = text
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  while (rest !== '') {
    const { index, closing, opening } = findCut(rest, limit, unit);
    const piece = `${rest.slice(0, index).trimEnd()}${closing}`;
    if (piece.trim() !== '') pieces.push(piece);
    rest =
      opening === '' ? rest.slice(index).replace(/^(?:(?:[ \t]*\n)+|[ \t]+)/, '') : `${opening}\n${rest.slice(index).replace(/^\n/, '')}`;
  }
  return pieces;
}

interface Cut {
  index: number;
  /** Closes a cut code block at the end of the piece, or `''`. */
  closing: string;
  /** Reopens a cut code block in the next piece, or `''`. */
  opening: string;
}

/** Kinds of cuts, best first. Of cuts of one kind, the last that fits is used. */
const RANKS = { paragraph: 0, line: 1, codeLine: 2, word: 3, earlyWord: 4, character: 5 } as const;

function findCut(text: string, limit: number, unit: TextUnit): Cut {
  const fence = new CodeFence(text);
  const cuts: Cut[] = [];
  let used = 0;
  let index = 0;
  while (index < text.length) {
    const character = characterAt(text, index);
    const usedNext = used + lengthIn(unit, character);
    fence.moveTo(index);
    if (index > 0 && fence.mayCut && used + lengthIn(unit, fence.closing) <= limit) {
      cuts[rankAt(text, index, fence.opening !== '', used < limit / 2)] = { index, closing: fence.closing, opening: fence.opening };
    }
    // A limit may be shorter than the lines of a fence, or than one character; then no cut fits.
    if (usedNext > limit) return cuts.find(Boolean) ?? { index: index || character.length, closing: '', opening: '' };
    used = usedNext;
    index += character.length;
  }
  return { index, closing: '', opening: '' };
}

function rankAt(text: string, index: number, inCode: boolean, isEarly: boolean): number {
  if (!/[ \t\n]/.test(text[index] as string)) return RANKS.character;
  if (isEarly) return RANKS.earlyWord;
  if (text[index] !== '\n') return RANKS.word;
  if (inCode) return RANKS.codeLine;
  return /^\n[ \t]*\n/.test(text.slice(index, index + 100)) ? RANKS.paragraph : RANKS.line;
}
