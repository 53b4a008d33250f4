/**
 * Text to search words: the same for documents and queries.
 *
 * Shape:  `Sends GitHub issues` -> words `send git hub issu`, joined `github`. Joined names are spelled without a gap, so that `git hub` finds
 *         `GitHub` and the other way round. Tokens are shared: never change one.
 * Units:  about 0.2 µs a word: a catalogue is tokenized whenever a service starts.
 * Source: accents and widths by Unicode NFKD. Scripts without gaps between words (Chinese, Japanese, Korean, Thai, …) become characters and bigrams.
 */
import { stem } from './stem';
import { STOP_WORDS } from './stop-words';
import { term } from './term';

export interface Token {
  /** Stem. */
  spelling: string;
  term: number;
}

export interface Tokens {
  /** Words in their order, without stop words. */
  words: Token[];
  /** Names of several pieces (`GitHub`, `send_email`, `EC2`) and each two neighbours in them, as one word. */
  joined: Token[];
}

const MAX_TERM_CHARS = 64;

const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
/** `\u30FC` lengthens a vowel in Japanese and belongs to no script. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30FC\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const SPACED = `[[\\p{L}\\p{M}\\p{N}]--${UNSPACED}]`;
/** A run without gaps, or a name with what holds its pieces together: `send_email`, `e-mail`, `cal.com`. */
const CHUNK = new RegExp(`(?<unspaced>${UNSPACED}+)|${SPACED}+(?:[\\-_.]+${SPACED}+)*`, 'gv');
const ASCII_NAME = /[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*/g;
/** An acronym up to the capital of the next word, a word, a number, letters without case. */
const PIECE = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{N}+|[^\p{Lu}\p{Ll}\p{N}\-_.]+/gu;

/** Texts of a catalogue repeat the same names: most are split once. */
const MAX_REMEMBERED = 30_000;
const MAX_REMEMBERED_CHARS = 40;
/** A piece of a text from this length on is a view in V8, which keeps the whole text in memory; words are kept for long. */
const VIEW_CHARS = 13;
const remembered = new Map<string, Tokens>();

export function tokenize(text: string): Tokens {
  const tokens: Tokens = { words: [], joined: [] };
  if (ASCII.test(text)) {
    for (const name of text.match(ASCII_NAME) ?? []) addName(name, tokens);
  } else {
    for (const { 0: chunk, groups } of withoutAccents(text).matchAll(CHUNK)) {
      if (groups?.unspaced) addRun(chunk, tokens);
      else addName(chunk, tokens);
    }
  }
  return tokens;
}

/** The stems of a text in their order, without stop words. */
export function stems(text: string): string[] {
  return tokenize(text).words.map(({ spelling }) => spelling);
}

/** A name without case, accents, gaps and marks: `Google Calendar` and `google-calendar` are the same. */
export function squeeze(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

function addName(name: string, { words, joined }: Tokens): void {
  let tokens = remembered.get(name);
  if (tokens === undefined) {
    const copy = copied(name);
    tokens = splitName(copy);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (copy.length <= MAX_REMEMBERED_CHARS) remembered.set(copy, tokens);
  }
  for (const word of tokens.words) words.push(word);
  for (const word of tokens.joined) joined.push(word);
}

function copied(name: string): string {
  return name.length < VIEW_CHARS ? name : Buffer.from(name).toString();
}

function splitName(name: string): Tokens {
  const pieces = name.match(PIECE)?.map((piece) => piece.toLowerCase()) ?? [];
  // One letter of a longer name (the `O` of `OAuth`) has no meaning alone.
  const telling = pieces.filter((piece) => (pieces.length === 1 || piece.length > 1) && !STOP_WORDS.has(piece));
  const joined = pieces.length > 1 ? [toToken(pieces.join(''))] : [];
  if (pieces.length > 2) for (let i = 1; i < pieces.length; i++) joined.push(toToken(`${pieces[i - 1]}${pieces[i]}`));
  return { words: telling.map(toToken), joined };
}

function toToken(word: string): Token {
  const spelling = stem(word.slice(0, MAX_TERM_CHARS));
  return { spelling, term: term(spelling) };
}

function addRun(run: string, { words }: Tokens): void {
  const characters = Array.from(run);
  for (const character of characters) words.push({ spelling: character, term: term(character) });
  for (let i = 1; i < characters.length; i++) {
    const spelling = `${characters[i - 1]}${characters[i]}`;
    words.push({ spelling, term: term(spelling) });
  }
}

function withoutAccents(text: string): string {
  // Composed again at the end: NFKD takes Korean syllables apart too.
  return ASCII.test(text) ? text : text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}
