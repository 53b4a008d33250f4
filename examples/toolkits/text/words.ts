import { createHash } from 'node:crypto';
import { Refusal } from '../shared/refusal.ts';

const WORDS_PER_MINUTE = 230;

export function textStatistics(text: string) {
  const words = segments(text, 'word').filter(({ isWordLike }) => isWordLike);
  const counts = new Map<string, number>();
  for (const { segment } of words) counts.set(segment.toLowerCase(), (counts.get(segment.toLowerCase()) ?? 0) + 1);
  return {
    characters: segments(text, 'grapheme').length,
    words: words.length,
    differentWords: counts.size,
    sentences: segments(text, 'sentence').filter(({ segment }) => segment.trim() !== '').length,
    paragraphs: text.split(/\n\s*\n/).filter((part) => part.trim() !== '').length,
    readingMinutes: Number((words.length / WORDS_PER_MINUTE).toFixed(1)),
    mostFrequent: [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([word, count]) => ({ word, count })),
  };
}

function segments(text: string, granularity: 'grapheme' | 'word' | 'sentence'): Intl.SegmentData[] {
  return [...new Intl.Segmenter('en', { granularity }).segment(text)];
}

/** Every repetition is bounded, so that no text makes a pattern slow. */
const PATTERNS = {
  emails: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  urls: /https?:\/\/[^\s<>"')\]]{0,2000}[^\s<>"')\].,;:!?]/g,
  numbers: /-?\d{1,30}(?:[.,]\d{1,30}){0,10}/g,
  dates: /\b\d{4}-\d{2}-\d{2}\b/g,
  hashtags: /#[\p{L}\p{N}_]{1,100}/gu,
};

export type Kind = keyof typeof PATTERNS;

export const KINDS = Object.keys(PATTERNS) as [Kind, ...Kind[]];

export function extract({ text, kinds = KINDS }: { text: string; kinds?: Kind[] }) {
  return Object.fromEntries(kinds.map((kind) => [kind, [...new Set(text.match(PATTERNS[kind]))]]));
}

export const CASES = ['camel', 'pascal', 'snake', 'kebab', 'constant', 'title', 'sentence'] as const;

export function changeCase({ text, to }: { text: string; to: (typeof CASES)[number] }) {
  const words = text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu)?.map((word) => word.toLowerCase());
  if (!words) throw new Refusal('NO_WORDS', 'There is no word in that text');
  return { text: JOINED[to](words) };
}

const JOINED: Record<(typeof CASES)[number], (words: string[]) => string> = {
  camel: ([first = '', ...rest]) => first + rest.map(capital).join(''),
  pascal: (words) => words.map(capital).join(''),
  snake: (words) => words.join('_'),
  kebab: (words) => words.join('-'),
  constant: (words) => words.join('_').toUpperCase(),
  title: (words) => words.map(capital).join(' '),
  sentence: ([first = '', ...rest]) => [capital(first), ...rest].join(' '),
};

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export const ENCODINGS = ['base64', 'hex', 'url', 'sha256'] as const;

export function encodeText({ text, as }: { text: string; as: (typeof ENCODINGS)[number] }) {
  // Half a surrogate pair has no UTF-8, and encodeURIComponent throws for it: the buffer puts U+FFFD in its place.
  if (as === 'url') return { text: encodeURIComponent(Buffer.from(text).toString()) };
  if (as === 'sha256') return { text: createHash('sha256').update(text).digest('hex') };
  return { text: Buffer.from(text).toString(as) };
}
