/**
 * Text that models read and people review must be the same text: what no screen shows goes, joiners and variation selectors too.
 *
 * Errors: the given code, when the cleaned text is too long.
 */
import { SvcError } from '../../protocol/errors';
import { readableText } from '../../protocol/invisible-text';

const JOINERS_AND_SELECTORS = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Cleans a text: without invisible characters, trimmed, in NFC; line ends become `\n`, and tabs stay.
 *
 * @param options.what begins the error's sentence, such as `The description of action "x"`
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
