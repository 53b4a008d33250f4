/**
 * The selection of tools, from texts: variables of a process, the query of a URL.
 *
 * Errors: INVALID_REQUEST for invalid texts.
 */
import { SvcError } from './errors';

/** Undefined for an empty text too, as configurations often have it. `name` is for the message. */
export function readFlag(name: string, text = ''): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  if (word === '') return undefined;
  throw new SvcError('INVALID_REQUEST', `${name} is ${JSON.stringify(text)}: write true or false`);
}

/** Splits at commas; blank items are ignored. */
export function readList(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
