/**
 * Whether a text is one JSON value (RFC 8259), without making the value.
 *
 * Cost: one pass over the bytes, a third of `JSON.parse` for many small objects. For few and long texts `JSON.parse` is faster, and used.
 */
import { hasFewBrackets } from '#sdk/protocol/json-depth';
import { textBytes } from '#sdk/protocol/text-bytes';

/** Fewer objects and lists are made in no time. */
const FEW_BRACKETS = 64;
/** Deeper texts are left to `JSON.parse`. */
const MAX_DEPTH = 512;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const [TRUE, FALSE, NULL] = ['true', 'false', 'null'].map((word) => Buffer.from(word)) as [Buffer, Buffer, Buffer];

/** No value of this file is valid behind it. */
const INVALID = -1;

/** The meanings of a byte inside of a string. */
const [PLAIN, END, ESCAPE, FORBIDDEN] = [0, 1, 2, 3];
const IN_STRING = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return END;
  if (byte === BACKSLASH) return ESCAPE;
  return byte < SPACE ? FORBIDDEN : PLAIN;
});
const SHORT_ESCAPES = bytesOf('"\\/bfnrt');
const HEX_DIGITS = bytesOf('0123456789abcdefABCDEF');
const UNICODE_ESCAPE = 0x75;

export function isJson(text: string): boolean {
  if (hasFewBrackets(text, FEW_BRACKETS)) return isParsed(text);
  const { bytes, end } = textBytes(text);
  const isValid = isValue(bytes, end);
  return isValid === 'too deep' ? isParsed(text) : isValid;
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param bytes a zero is behind the end */
function isValue(bytes: Uint8Array, end: number): boolean | 'too deep' {
  /** 1 where the level is an object, from level 1. */
  const isObjectAt = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  let at = 0;
  for (;;) {
    at = skipSpace(bytes, at);
    const byte = bytes[at] as number;
    if (byte === LEFT_BRACE || byte === LEFT_BRACKET) {
      if (++depth > MAX_DEPTH) return 'too deep';
      const isObject = byte === LEFT_BRACE;
      isObjectAt[depth] = Number(isObject);
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== (isObject ? RIGHT_BRACE : RIGHT_BRACKET)) {
        if (isObject) at = afterName(bytes, at);
        if (at === INVALID) return false;
        continue;
      }
      depth--;
      at++;
    } else at = afterScalar(bytes, at, byte);
    if (at === INVALID) return false;
    // Behind a value: the ends of its levels, then a comma or the end of the text.
    for (;;) {
      at = skipSpace(bytes, at);
      if (depth === 0) return at === end;
      if (bytes[at] === COMMA) break;
      if (bytes[at] !== (isObjectAt[depth] === 1 ? RIGHT_BRACE : RIGHT_BRACKET)) return false;
      depth--;
      at++;
    }
    at++;
    if (isObjectAt[depth] === 1) at = afterName(bytes, skipSpace(bytes, at));
    if (at === INVALID) return false;
  }
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  let byte = bytes[at];
  while (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) byte = bytes[++at];
  return at;
}

/** The name of a member and its colon. */
function afterName(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return INVALID;
  const behind = afterString(bytes, start + 1);
  if (behind === INVALID) return INVALID;
  const colon = skipSpace(bytes, behind);
  return bytes[colon] === COLON ? colon + 1 : INVALID;
}

function afterScalar(bytes: Uint8Array, at: number, byte: number): number {
  if (byte === QUOTE) return afterString(bytes, at + 1);
  if (byte === MINUS || isDigit(byte)) return afterNumber(bytes, at);
  if (byte === TRUE[0]) return afterWord(bytes, at, TRUE);
  if (byte === FALSE[0]) return afterWord(bytes, at, FALSE);
  return byte === NULL[0] ? afterWord(bytes, at, NULL) : INVALID;
}

function afterWord(bytes: Uint8Array, start: number, word: Buffer): number {
  for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word[at]) return INVALID;
  return start + word.length;
}

/** The zero behind the end is forbidden in a string. */
function afterString(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const meaning = IN_STRING[bytes[at] as number];
    if (meaning === PLAIN) at++;
    else if (meaning === END) return at + 1;
    else if (meaning === FORBIDDEN) return INVALID;
    else if (bytes[at + 1] === UNICODE_ESCAPE) {
      for (let digit = 2; digit < 6; digit++) if (HEX_DIGITS[bytes[at + digit] as number] !== 1) return INVALID;
      at += 6;
    } else if (SHORT_ESCAPES[bytes[at + 1] as number] === 1) at += 2;
    else return INVALID;
  }
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
  if (at !== INVALID && bytes[at] === POINT) at = afterDigits(bytes, at + 1);
  // 'e' and 'E'
  if (at === INVALID || ((bytes[at] as number) | 0x20) !== 0x65) return at;
  const sign = bytes[at + 1];
  return afterDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

/** Returns the index behind them; there must be at least one. */
function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at === start ? INVALID : at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** 1 for each byte of the text. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const byte of Buffer.from(text)) bytes[byte] = 1;
  return bytes;
}
