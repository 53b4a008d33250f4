/** The texts that the store accepts: any Unicode without U+0000 and without lone surrogates, which the store would change. */
import { SvcError } from '#sdk/protocol/errors';

/**
 * Checks all texts in JSON of any depth.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function requireStorable(json: unknown, what: string): void {
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') requireStorableText(value, what);
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (typeof value === 'object' && value !== null) for (const [name, member] of Object.entries(value)) left.push(name, member);
  }
}

function requireStorableText(text: string, what: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new SvcError('INVALID_REQUEST', `"${what}" holds U+0000 or half a character: send texts of whole Unicode characters`);
}
