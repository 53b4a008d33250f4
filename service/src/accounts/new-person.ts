/** The required data of a new account's person. */
import * as z from 'zod';

/** RFC 5321 section 4.5.3.1.3: what fits into a path. */
const MAX_EMAIL_CHARS = 254;
const MAX_NAME_CHARS = 100;
/** Controls, invisible and formatting characters (such as zero-width and bidi ones), and line separators: a name with them looks like another. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

/** ASCII only. The pattern is checked before the case: the lower case of the Kelvin sign is an ASCII "k". */
export const email = z
  .string('must be an e-mail address')
  .trim()
  .max(MAX_EMAIL_CHARS, `may have at most ${MAX_EMAIL_CHARS} characters`)
  .pipe(z.email('must be an e-mail address, such as ada@example.com').toLowerCase());

const personName = z
  .string('must be a text')
  .normalize('NFC')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_CHARS, `may have at most ${MAX_NAME_CHARS} characters`)
  .refine((name) => !UNPRINTABLE.test(name), 'must not have control or invisible characters');

export const newPerson = z.object({ name: personName, email });

/** A provider's name for a person, changed into one that `newPerson` accepts. Undefined when nothing of it is left. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const printable = name.normalize('NFC').replace(new RegExp(UNPRINTABLE, 'gu'), ' ').replace(/\s+/gu, ' ').trim();
  // The cut may divide a surrogate pair.
  return personName.safeParse(printable.slice(0, MAX_NAME_CHARS).replace(/[\ud800-\udbff]$/, '')).data;
}
