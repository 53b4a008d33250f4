/**
 * What a model reads: results as compact JSON, errors as `{"error":{…}}`, neither longer than `maxChars` without saying so.
 *
 * Units:  UTF-16 code units, as in `String.length`.
 */
import type { SvcError } from '../protocol/errors';
import type { InvokeResponse } from '../protocol/http';
import { writeJson } from './json';

/** The result itself; beside a note only when it is not quite what was asked for or not all of it. */
export function toModelValue({ result, repaired = [], cut }: InvokeResponse, maxChars: number): unknown {
  const notes = [...repaired];
  if (cut) notes.push(`The result has ${cut.totalBytes} bytes; these are its first ${cut.keptBytes}.`);
  const value = limitValue(result ?? null, maxChars);
  return notes.length === 0 ? value : { result: value, note: notes.join(' ') };
}

/** The value, or the beginning of its text when that is too long for a model. */
export function limitValue(value: unknown, maxChars: number): unknown {
  const text = toModelText(value);
  return text.length <= maxChars ? value : cutText(text, maxChars);
}

export function toModelText(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value);
}

export function toErrorText(error: SvcError, maxChars: number): string {
  return cutText(writeJson({ error: error.toJSON() }), maxChars);
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1)) && /[\udc00-\udfff]/.test(text.charAt(maxChars));
  const kept = splitsPair ? maxChars - 1 : maxChars;
  return `${text.slice(0, kept)}\n[Cut: ${text.length} characters, these are the first ${kept}. Ask for less, or for a part, if you need the rest.]`;
}
