/**
 * Cleans texts so that models read the same text that people review: removes invisible characters, joiners and variation selectors.
 *
 * Errors: the given code, when the cleaned text is too long.
 */
import { SvcError } from '#sdk/protocol/errors';
import { readableText } from '#sdk/protocol/invisible-text';

const JOINERS_AND_SELECTORS = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Removes invisible characters, trims, and normalises to NFC. Line ends become `\n`; tabs stay.
 *
 * @param options.what start of the error message, such as `The description of action "x"`
 */
export function cleanText(text: string, options: { what: string; maxChars: number; code: 'INVALID_ACTION' | 'INVALID_REQUEST' }): string {
  const clean = visibleText(text);
  if (clean.length > options.maxChars)
    throw new SvcError(options.code, `${options.what} has ${clean.length} characters; at most ${options.maxChars} are allowed, shorten it`);
  return clean;
}

export function visibleText(text: string): string {
  return readableText(text).replace(JOINERS_AND_SELECTORS, '').normalize('NFC').trim();
}
