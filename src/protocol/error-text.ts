/**
 * Texts of another program's error, for a message: nothing that a screen does not show or that a terminal executes, no key, and no more than a
 * person reads. docs/limits.md.
 *
 * Units: UTF-16 code units.
 */
import { readableText } from './invisible-text';

const MAX_CHARS = 4_096;
/** Characters of which the first 4,096 readable ones are taken. */
const MAX_READ_CHARS = 65_536;
/** Deeper JSON than this is refused by the service. */
const MAX_LEVELS = 300;
/** Keys and agent tokens. */
const KEY = /svc_(agent|toolkit|admin|token)_[\w-]{8,}(?:\.[\w-]+)*/g;

export function errorText(text: string): string {
  const shown = textWithoutKeys(text.slice(0, MAX_READ_CHARS));
  return text.length <= MAX_READ_CHARS && shown.length <= MAX_CHARS
    ? shown
    : `${shown.slice(0, MAX_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** JSON of an error. Names and texts stay whole, but for keys and invisible characters; what is nested too deep is dropped. */
export function errorJson(value: unknown, levels: number = MAX_LEVELS): unknown {
  if (typeof value === 'string') return textWithoutKeys(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => errorJson(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [textWithoutKeys(name), errorJson(member, levels - 1)]));
}

function textWithoutKeys(text: string): string {
  return readableText(text).replace(KEY, 'svc_$1_…');
}
