/**
 * Characters that a screen does not show or that a terminal executes: an author can hide text in them from the people who review it, but a
 * model reads it.
 *
 * Shape:  controls but tab and line feed, zero-width and bidirectional characters, tags, fillers, variation selectors, lone surrogates. Not
 *         included where a script or an emoji needs them: joiners after a letter of a script that joins, selectors after their base character,
 *         emoji sequences.
 * Source: UAX #44 (Default_Ignorable_Code_Point), UAX #31 section 2.3 (joiners), UTS #51 (emoji sequences), UTS #37 (ideographic variation),
 *         ECMA-48 section 5.4 (control sequences).
 */
import { isObject } from './json-object';

/** Most texts have nothing else, and this test is the fastest. */
const OTHER_THAN_ASCII = /[^\t\n\x20-\x7e]/;

const JOINING_SCRIPTS =
  'Arabic Syriac Nko Mandaic Mongolian Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan';
const joiningLetter = `[${JOINING_SCRIPTS.split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`;
const pictograph = '\\p{Extended_Pictographic}';
/** The flags of England, Scotland and Wales: the only emoji that are written with tags. */
const tagFlag = `\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const needed = [
  tagFlag,
  `(?<=${joiningLetter})[\\u200c\\u200d]`,
  `(?<=${pictograph}[\\u{1f3fb}-\\u{1f3ff}]?\\ufe0f?)\\u200d(?=${pictograph})`,
  `(?<=${pictograph})[\\ufe0e\\ufe0f]`,
  '(?<=[#*0-9])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
].join('|');
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it finds
const INVISIBLE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Cs}\u2028\u2029\ufff9-\ufffb]/u;
/** Runs, because a replacement for each character costs ten times as much. Nothing in a run is needed: it follows an invisible character. */
const NEEDED_OR_INVISIBLE = new RegExp(`(${needed})|${INVISIBLE.source}+`, 'gu');
/** Linear: no part of a sequence can begin another one. */
const CONTROL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it removes
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/g;
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;

/** Returns text for a terminal: each invisible character becomes an escape, such as `\x1b` or `\u{202e}`. Line feeds and tabs stay. */
export function printable(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text;
  return text.replace(NEEDED_OR_INVISIBLE, (run, isNeeded?: string) => isNeeded ?? Array.from(run, escaped).join(''));
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}

/** Returns JSON for a terminal: each invisible character in its texts becomes an escape of JSON. The value stays the same. */
export function printableJson(json: string): string {
  if (!OTHER_THAN_ASCII.test(json)) return json;
  return json.replace(NEEDED_OR_INVISIBLE, (run, isNeeded?: string) => isNeeded ?? run.split('').map(jsonEscaped).join(''));
}

function jsonEscaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function isVisible(text: string): boolean {
  return !OTHER_THAN_ASCII.test(text) || text.replace(NEEDED_OR_INVISIBLE, '$1') === text;
}

/** Returns data for a model, without control sequences of terminals and invisible characters. Line ends become `\n`. */
export function readableText(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text;
  return text.replace(CONTROL_SEQUENCE, '').replace(LINE_END, '\n').replace(NEEDED_OR_INVISIBLE, '$1');
}

/**
 * Returns the JSON value with every name and text as `readableText` makes it; the value itself if nothing changes.
 *
 * @param json the text of the value
 */
export function readableJson<T>(value: T, json: string): T {
  // `JSON.stringify` escapes C0 controls and lone surrogates.
  if (!/\\[bfru]/.test(json) && !INVISIBLE.test(json)) return value;
  return JSON.parse(JSON.stringify(value, (_name, part: unknown) => readablePart(part)));
}

function readablePart(part: unknown): unknown {
  if (typeof part === 'string') return readableText(part);
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [readableText(name), member]));
}
