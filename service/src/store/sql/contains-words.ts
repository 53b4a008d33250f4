/**
 * A condition: the texts contain every word.
 *
 * Method: both engines change the case of ASCII letters only. A word with other letters is searched in the spellings that people type: as
 *         typed, lower case, upper case, and with a capital.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** @param text an expression whose value is not null */
export function containsWords(text: RawBuilder<string>, words: string): RawBuilder<SqlBool> {
  const conditions = words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => containsWord(text, word));
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
}

function containsWord(text: RawBuilder<string>, word: string): RawBuilder<SqlBool> {
  const lower = word.toLowerCase();
  const spellings = isAscii(word)
    ? [lower]
    : [...new Set([word, lower, word.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])];
  const folded = isAscii(word) ? sql`lower(${text})` : text;
  const found = spellings.map((spelling) => sql`${folded} like ${`%${escapeLike(spelling)}%`} escape '\\'`);
  return sql`(${sql.join(found, sql` or `)})`;
}

function isAscii(text: string): boolean {
  return [...text].every((character) => character < '\x80');
}

/** Escapes a text for a pattern with `escape '\\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
