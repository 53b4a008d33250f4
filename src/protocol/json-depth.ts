/**
 * Finds JSON texts from outside that are nested too deep, before `JSON.parse` reads them: it takes 200 ms for 2 MiB of `[`, and functions that
 * follow the levels overflow their stack.
 *
 * Shape: one pass over the bytes of the text. Brackets inside strings do not count. The text need not be valid JSON.
 * Cost:  one comparison for a text of at most `MAX_JSON_DEPTH` characters, at most half of `JSON.parse` for longer data.
 */
import { SvcError } from './errors';
import { textBytes } from './text-bytes';

/** Above the deepest payload, which has 256 levels, with its wrapping. */
export const MAX_JSON_DEPTH = 300;

/** Longer strings are searched by `indexOf`, which takes longer to begin. */
const SHORT_CHARS = 32;

const QUOTE = 0x22;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** @throws SvcError INVALID_REQUEST whose message begins with `what`, such as "The body" */
export function requireFlatJson(text: string, what: string): void {
  if (isNestedTooDeep(text))
    throw new SvcError('INVALID_REQUEST', `${what} is nested more than ${MAX_JSON_DEPTH} levels deep; send flatter JSON`);
}

export function isNestedTooDeep(text: string, maxDepth = MAX_JSON_DEPTH): boolean {
  if (text.length <= maxDepth || hasFewBrackets(text, maxDepth)) return false;
  const { bytes, end } = textBytes(text);
  let depth = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfStringBytes(bytes, at + 1, end);
    else if (byte === LEFT_BRACKET || byte === LEFT_BRACE) {
      if (++depth > maxDepth) return true;
    } else if (byte === RIGHT_BRACKET || byte === RIGHT_BRACE) depth--;
  }
  return false;
}

/** Returns the index of the closing quote, or `end` if there is none. */
function endOfStringBytes(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether the text has at most `most` opening brackets, inside and outside strings. `indexOf` makes this cheap for long strings. */
export function hasFewBrackets(text: string, most: number): boolean {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > most) return false;
    }
  }
  return true;
}

/** Returns the index of the closing quote; the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let at = start;
  for (const near = Math.min(start + SHORT_CHARS, text.length); at < near; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = quote;
    while (slashes > at && text.charCodeAt(slashes - 1) === BACKSLASH) slashes--;
    if ((quote - slashes) % 2 === 0) return quote;
  }
  return text.length;
}
