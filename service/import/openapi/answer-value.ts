/**
 * Converts the content of an HTTP answer to a value: JSON, a list of JSON lines, or text.
 *
 * Source: RFC 9110, section 8.3; RFC 8259, section 8.1: JSON is UTF-8, whatever its charset; RFC 7464 and NDJSON for one value a line.
 */

import { charsetOf, decodeText } from '#sdk/protocol/decode-text';
import { isNestedTooDeep } from '#sdk/protocol/json-depth';
import { isUnsafeNumber, parseWithDigits } from '#sdk/protocol/number-digits';

/** The service accepts 300, including its envelope. */
const MAX_LEVELS = 256;

const JSON_LINES = /ndjson|jsonl|json-?lines|json-seq|json-stream|stream\+json/;
const JSON_TYPE = /\bjson\b/;
/** Types whose content is text, even if it is not UTF-8. */
const TEXT_TYPE = /^text\/|json|xml|yaml|javascript|csv|x-www-form-urlencoded/;
/** Unspecific types. */
const NO_TYPE = /^$|\/octet-stream$/;
const UTF8 = /^utf-?8$/i;
/** Before each value of `application/json-seq`. */
const RECORD_SEPARATOR = '\x1e';
/** Prevents a page of another site from running the JSON as a script. */
const SCRIPT_GUARD = /^\)\]\}'?,?[ \t]*\r?\n/;

/** Undefined for bytes that are not text. */
export function answerValue(bytes: Uint8Array, contentType: string): unknown {
  const type = mediaTypeOf(contentType);
  const charset = charsetOf(contentType);
  const isJson = JSON_TYPE.test(type) || JSON_LINES.test(type);
  const asUtf8 = isJson && charset && !UTF8.test(charset) ? decodeText(bytes, { isText: false }) : undefined;
  const text = asUtf8 ?? decodeText(bytes, { charset, isText: TEXT_TYPE.test(type) });
  if (text === undefined) return undefined;
  if (JSON_LINES.test(type)) return parsedLines(text) ?? text;
  // `12` and `true` are more often words than numbers.
  const isLikeJson = NO_TYPE.test(type) && /^\s*[[{]/.test(text);
  if (!isJson && !isLikeJson) return text;
  const json = text.replace(SCRIPT_GUARD, '');
  const value = parsed(json);
  return value === undefined ? (parsedLines(json) ?? text) : value;
}

/** The media type without its parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** True for a media type whose content is one JSON value a line. */
export function isJsonLines(mediaType: string): boolean {
  return JSON_LINES.test(mediaTypeOf(mediaType));
}

/** True for a media type whose content is text, even if it is not UTF-8. */
export function isTextType(mediaType: string): boolean {
  return TEXT_TYPE.test(mediaTypeOf(mediaType));
}

/** One value a line; undefined if a line is not JSON. */
function parsedLines(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  for (const line of text.replaceAll(RECORD_SEPARATOR, '\n').split('\n')) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

/** Undefined for other content than JSON, and for more levels than a result may have. */
function parsed(text: string): unknown {
  try {
    return isNestedTooDeep(text, MAX_LEVELS) ? undefined : parseWithDigits(text, isUnsafeNumber);
  } catch {
    return undefined;
  }
}
