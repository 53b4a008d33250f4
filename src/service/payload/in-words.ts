import { isObject } from '../../protocol/json-object';

/** The value in a few words of a message: text and numbers as JSON, the rest by its kind. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`;
  if (isObject(value)) return 'an object';
  return shorten(JSON.stringify(value) ?? 'nothing', 80);
}

export function shorten(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
