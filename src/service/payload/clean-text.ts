/**
 * Text that models read and people review must be the same text: what no screen shows goes.
 *
 * Errors: the given code, when the cleaned text is too long.
 * Source: Unicode property Default_Ignorable_Code_Point (UAX #44) holds zero-width and bidirectional characters, variation selectors, tags
 *         and fillers. Beside it go controls, lone surrogates and the interlinear annotation marks.
 */
import { SvcError } from '../../protocol/errors';

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cs}\uFFF9-\uFFFB]|(?![\n\t])\p{Cc}/gu;
const LINE_END = /\r\n?|[\u2028\u2029]/g;

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
  return text.replace(LINE_END, '\n').replace(INVISIBLE, '').normalize('NFC').trim();
}
