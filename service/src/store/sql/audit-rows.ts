/** The rows of the audit log that match a query, newest first. Ids sort by time, so that a range of times is a range of the primary key. */
import { type Kysely, sql } from 'kysely';
import type { AuditQuery } from '../console-store';
import { containsWords, escapeLike } from './contains-words';
import { timeDigits } from './statements';
import type { Tables } from './tables';

export function auditRows(db: Kysely<Tables>, { limit, ids, before, since, words = '', personId, what, from, to }: AuditQuery) {
  const text = sql<string>`(what || ' ' || subject || ' ' || actor || ' ' || details)`;
  let query = db.selectFrom('audit').orderBy('id', 'desc').limit(limit);
  if (ids !== undefined) query = ids.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where('id', 'in', ids);
  if (before !== undefined) query = query.where('id', '<', before);
  if (since !== undefined) query = query.where('id', '>=', since);
  if (from !== undefined) query = query.where('id', '>=', `aud_${timeDigits(from)}`);
  if (to !== undefined) query = query.where('id', '<', `aud_${timeDigits(to)}`);
  if (what !== undefined) query = what.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where('what', 'in', what);
  // The two engines read members of JSON differently; an id of an account holds no character that JSON escapes.
  if (personId !== undefined)
    query = query.where(sql<boolean>`actor like ${`%"kind":"person"%`} and actor like ${`%"id":"${escapeLike(personId)}"%`} escape '\\'`);
  if (words.trim() !== '') query = query.where(containsWords(text, words));
  return query;
}
