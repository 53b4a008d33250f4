/** The required data of a new account's person. */
import * as z from 'zod';

/** RFC 5321 section 4.5.3.1.3: what fits into a path. */
const MAX_EMAIL_CHARS = 254;
const MAX_NAME_CHARS = 100;

export const email = z
  .string('must be an e-mail address')
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_CHARS, `may have at most ${MAX_EMAIL_CHARS} characters`)
  .pipe(z.email('must be an e-mail address, such as ada@example.com'));

const personName = z
  .string('must be a text')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_CHARS, `may have at most ${MAX_NAME_CHARS} characters`)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const newPerson = z.object({ name: personName, email });
