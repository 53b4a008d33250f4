/**
 * Numbers of a JSON text whose digits a double does not keep: docs/protocol.md, section 3 "Numbers".
 *
 * Cost: one search of the text for 16 digits in a row or an exponent. Only a text with one of them is scanned.
 */
import { type PayloadIssue, SvcError } from './errors';
import { endOfString } from './json-depth';
import { isObject, type JsonObject } from './json-object';

const MAY_BE_LARGE = /\d{16}|\d[eE]\+?\d/;
const STRING_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** ECMAScript writes the digits of smaller numbers. */
const WRITTEN_WITH_EXPONENT = 1e21;
const MAX_ISSUES = 8;
const MAX_SHOWN_DIGITS = 60;
/** Every decimal number of so many digits is the only one of its double. */
const EXACT_DIGITS = 15;

/** A number as JSON writes it, which a double would change. */
export function losesDigits(literal: string): boolean {
  return isLarge(literal) && !keepsDigits(literal);
}

/** A number that no payload may have: its sender may have lost digits already, unless it needs its exponent. */
export function isUnsafeNumber(literal: string): boolean {
  const needsExponent = /e/i.test(literal) && Math.abs(Number(literal)) >= WRITTEN_WITH_EXPONENT;
  return isLarge(literal) && !(needsExponent && keepsDigits(literal));
}

/** Parses JSON; a number that would lose digits becomes the text of its digits. */
export function parseWithDigits(json: string, isQuoted = losesDigits): unknown {
  const value: unknown = JSON.parse(json);
  const quoted = quoteNumbers(json, isQuoted);
  return quoted === json ? value : JSON.parse(quoted);
}

/** The valid JSON text with some numbers as texts. */
export function quoteNumbers(json: string, isQuoted: (literal: string) => boolean): string {
  if (!MAY_BE_LARGE.test(json)) return json;
  const token = new RegExp(STRING_OR_NUMBER);
  let quoted = '';
  let from = 0;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    const [literal] = found;
    if (literal === '"') token.lastIndex = endOfString(json, token.lastIndex) + 1;
    else if (NUMBER.test(literal) && isQuoted(literal)) {
      quoted += `${json.slice(from, found.index)}"${literal}"`;
      from = token.lastIndex;
    }
  }
  return quoted + json.slice(from);
}

/**
 * Replaces the numbers of a value that are texts in its other form, as `quoteNumbers` makes it. Changes the value.
 *
 * @param replace called with the digits and the JSON Pointer of each
 */
export function replaceNumbers(value: unknown, quoted: unknown, replace: (digits: string, path: string) => unknown): unknown {
  if (typeof value === 'number') return typeof quoted === 'string' ? replace(quoted, '') : value;
  const open = [{ path: '', value, quoted }];
  for (const { path, ...forms } of open) {
    const members = forms.value as JsonObject;
    const quotedMembers = forms.quoted as JsonObject;
    for (const name of Object.keys(members)) {
      const [member, other] = [members[name], quotedMembers[name]];
      if (typeof member === 'number' && typeof other === 'string') members[name] = replace(other, pointerBelow(path, name));
      else if (typeof member === 'object' && member !== null) open.push({ path: pointerBelow(path, name), value: member, quoted: other });
    }
  }
  return value;
}

/** A number of a program that parsed it with `JSON.parse`: one that fills a double has most likely lost digits. */
export function isDoubtfulNumber(literal: string): boolean {
  return isUnsafeNumber(literal) || (isLarge(literal) && significantDigits(literal).length > EXACT_DIGITS);
}

/**
 * @param json a payload, or the body of a call, whose payload is a member
 * @throws SvcError INVALID_PAYLOAD when it has a number that no payload may have
 */
export function requireSafeNumbers(json: string, isUnsafe = isUnsafeNumber): void {
  const quoted = quoteNumbers(json, isUnsafe);
  if (quoted === json) return;
  const issues: PayloadIssue[] = [];
  const value: unknown = JSON.parse(json);
  replaceNumbers(value, JSON.parse(quoted), (digits, path) => issues.push(unsafeNumberIssue(digits, path.replace(/^\/payload(?=\/)/, ''))));
  throw unsafeNumberError(issues, isObject(value) && isObject(value.payload) ? value.payload : value);
}

function unsafeNumberIssue(digits: string, path: string): PayloadIssue {
  const shown = digits.length > MAX_SHOWN_DIGITS ? `${digits.slice(0, MAX_SHOWN_DIGITS)}…` : digits;
  return { path, message: `${shown} has more digits than JSON numbers keep; send its exact digits as a text, in quotes` };
}

function unsafeNumberError(found: readonly PayloadIssue[], payload: unknown): SvcError {
  const issues = found.slice(0, MAX_ISSUES);
  const said = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new SvcError('INVALID_PAYLOAD', `The payload loses digits: ${said}`, {
    issues,
    received: isObject(payload) ? Object.keys(payload).slice(0, 100) : [],
  });
}

/** The JSON Pointer (RFC 6901) of a member. */
function pointerBelow(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isLarge(literal: string): boolean {
  return Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER;
}

function keepsDigits(literal: string): boolean {
  return significantDigits(literal) === significantDigits(String(Number(literal)));
}

function significantDigits(literal: string): string {
  return literal.replace(/^-|\.|e.*$/gi, '').replace(/^0+|0+$/g, '');
}
