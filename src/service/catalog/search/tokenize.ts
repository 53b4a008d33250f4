/**
 * Text to search terms: the same for documents and queries.
 *
 * Shape:  `Sends GitHub issues` -> words `send git hub issu`, joined `github`, pairs `sendgit github hubissu`. Joined names and pairs are spelled
 *         without a gap, so that `git hub` finds `GitHub` and the other way round.
 * Source: accents and widths by Unicode NFKD. Scripts without gaps between words (Chinese, Japanese, Korean, Thai, …) become characters and bigrams.
 */
import { stem } from './stem';
import { STOP_WORDS } from './stop-words';

export interface Tokens {
  /** Stems in their order, without stop words. */
  words: string[];
  /** Names of several pieces (`GitHub`, `send_email`, `EC2`) and each two neighbours in them, as one word. */
  joined: string[];
  /** Each two neighbours of `words`, as one word. */
  pairs: string[];
}

const MAX_TERM_CHARS = 64;

const ACCENTS = /[\u0300-\u036f]/g;
/** `\u30FC` lengthens a vowel in Japanese and belongs to no script. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30FC\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const SPACED = `[[\\p{L}\\p{M}\\p{N}]--${UNSPACED}]`;
/** A run without gaps, or a name with what holds its pieces together: `send_email`, `e-mail`, `cal.com`. */
const CHUNK = new RegExp(`(?<unspaced>${UNSPACED}+)|${SPACED}+(?:[\\-_.]+${SPACED}+)*`, 'gv');
/** An acronym up to the capital of the next word, a word, a number, letters without case. */
const PIECE = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{N}+|[^\p{Lu}\p{Ll}\p{N}\-_.]+/gu;

export function tokenize(text: string): Tokens {
  const words: string[] = [];
  const joined: string[] = [];
  for (const { 0: chunk, groups } of withoutAccents(text).matchAll(CHUNK)) {
    if (groups?.unspaced) splitRun(chunk, words);
    else splitName(chunk, words, joined);
  }
  const pairs: string[] = [];
  addPairs(words, pairs, (pair) => pair.slice(0, MAX_TERM_CHARS));
  return { words, joined, pairs };
}

/** What is left of a name when case, accents, gaps and marks do not count: `Google Calendar` and `google-calendar` are the same. */
export function squeeze(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

function splitName(name: string, words: string[], joined: string[]): void {
  const pieces = name.match(PIECE)?.map((piece) => piece.toLowerCase()) ?? [];
  for (const piece of pieces) {
    // One letter of a longer name (the `O` of `OAuth`) says nothing by itself.
    const tells = pieces.length === 1 || piece.length > 1;
    if (tells && !STOP_WORDS.has(piece)) words.push(toTerm(piece));
  }
  if (pieces.length > 1) joined.push(toTerm(pieces.join('')));
  if (pieces.length > 2) addPairs(pieces, joined, toTerm);
}

function toTerm(word: string): string {
  return stem(word.slice(0, MAX_TERM_CHARS));
}

function splitRun(run: string, words: string[]): void {
  const characters = Array.from(run);
  for (const character of characters) words.push(character);
  addPairs(characters, words, (pair) => pair);
}

function addPairs(items: readonly string[], pairs: string[], toPair: (spelling: string) => string): void {
  for (let i = 1; i < items.length; i++) pairs.push(toPair(`${items[i - 1]}${items[i]}`));
}

function withoutAccents(text: string): string {
  // Composed again at the end: NFKD takes Korean syllables apart too.
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}
