/**
 * Values in the path of a request. A value never selects another operation of the API: it is not empty, and it has no `.` or `..` segment, in
 * any spelling. The same applies to each segment of values and the path's text together.
 *
 * Errors: ActionError INVALID_PATH_VALUE.
 * Source: WHATWG URL, "double-dot path segment"; RFC 3986, section 5.2.4. Some servers decode twice, treat `\` as `/`, and cut a
 *         segment at `;`.
 */
import type { ActionContext } from 'svc-sdk';

/** A segment of a path. The name of a parameter may contain a slash. */
const SEGMENT = /(?:[^/{}]|\{[^{}]*\}|[{}])+/g;
/** Decoding rounds that search for a hidden segment. */
const MAX_DECODINGS = 4;
/** Overlong encodings of `.` and `/`, which old servers decode. */
const OVERLONG: readonly (readonly [RegExp, string])[] = [
  [/%(?:c0%(?:ae|2e)|e0%80%ae|u002e|u2024|uff0e)/gi, '.'],
  [/%(?:c0%(?:af|2f|5c)|c1%9c|e0%80%af|u002f|u2215|uff0f|u005c)/gi, '/'],
  [/[\uff0e\u2024]/g, '.'],
  [/[\uff0f\u2215\u2044\uff3c\u29f5]/g, '/'],
];

/** The template, such as `/users/{id}`, with its values. `write` returns the encoded text of a parameter. */
export function fillPath(template: string, write: (name: string) => string, ctx: ActionContext): string {
  return template.replace(SEGMENT, (segment) => {
    const filled = segment.replace(/\{([^{}]+)\}/g, (_, name: string) => write(name));
    // A tab separates the values of a Swagger 2.0 list. No value contains one: each was checked before.
    if (filled !== segment && !isSafe(decodeOnce(filled).replaceAll('\t', ' ')))
      throw ctx.error('INVALID_PATH_VALUE', `The values make ${JSON.stringify(filled)} in the path, which leads to another path`);
    return filled;
  });
}

/** One value, encoded for one segment. */
export function encodePathValue(value: unknown, name: string, ctx: ActionContext): string {
  const text = String(value);
  if (!isSafe(text)) {
    const problem = text.trim() === '' ? 'is empty' : 'leads to another path, or holds control characters';
    throw ctx.error('INVALID_PATH_VALUE', `${name} ${problem}; write a name or an id, without "." and ".." between slashes`);
  }
  return encodeStrictly(text);
}

/** True for a list or an object with only empty members: `DELETE /users/{ids}` would become `DELETE /users/`. */
export function isEmptyValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmptyValue);
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Also encodes the characters that `encodeURIComponent` leaves and some servers interpret. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isSafe(text: string): boolean {
  if (text.trim() === '') return false;
  let spelling = text;
  for (let decodings = 0; decodings <= MAX_DECODINGS; decodings++) {
    const plain = OVERLONG.reduce((result, [found, character]) => result.replace(found, character), spelling);
    if (hasControls(plain) || plain.split(/[/\\]/).some(isDots)) return false;
    const next = decodeOnce(plain);
    if (next === spelling) return true;
    spelling = next;
  }
  // Refused even if encoded: no legitimate value needs these.
  return false;
}

function isDots(segment: string): boolean {
  const [name = ''] = segment.split(/[;?#]/, 1);
  return /^\s*\.{1,2}\s*$/.test(name);
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it finds
  return /[\x00-\x1f\x7f]/.test(text);
}

/** Decodes valid escapes; other % stay. */
function decodeOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
