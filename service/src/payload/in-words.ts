import { isObject } from '#sdk/protocol/json-object';

const MAX_CHARS = 80;

/** A short description of a value for a message: texts and numbers as JSON, other values by their kind. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`;
  if (isObject(value)) return 'an object';
  return shorten(JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_CHARS) : value) ?? 'nothing', MAX_CHARS);
}

export function shorten(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
