/**
 * A query with two intents, such as "find my flight and put it into the calendar": the best action of each part is shown, where the whole query
 * finds one of the two only.
 *
 * Shape:  English; the parts are sentences, or clauses with a verb of their own.
 */
import { VERBS } from '../search/effects';
import { stems } from '../search/tokenize';

/** Longer queries are mostly one need with its story, and their parts take as long as the whole. */
const MAX_CHARS = 160;
const MIN_WORDS = 2;
/** Verbs that leave open whether the action reads or changes. */
const OTHER_VERBS =
  'analyze calculate call compare compute crawl deploy describe draw email estimate explain export generate get how message notify play plot query scale summarize tell text translate validate verify';
const VERB = [...VERBS.keys(), ...OTHER_VERBS.split(' ')].join('|');
const BOUNDARY = new RegExp(
  String.raw`(?<=[.!?])\s+|;\s*|,?\s+and\s+then\s+|,\s*then\s+|,?\s+and\s+(?=(?:(?:also|please)\s+){0,2}(?:${VERB})\b)`,
  'i',
);

/** Undefined for a query that does not have exactly two parts. */
export function splitIntents(query: string): [string, string] | undefined {
  if (query.length > MAX_CHARS) return undefined;
  const [first, second, ...others] = query.split(BOUNDARY).filter((part) => stems(part).length >= MIN_WORDS);
  return first !== undefined && second !== undefined && others.length === 0 ? [first, second] : undefined;
}

/**
 * Adds the best of each part behind the first half of what the whole query found. Parts with a result in common are about one thing: the order
 * stays.
 */
export function mergeIntents(
  whole: readonly string[],
  [first, second]: readonly [readonly string[], readonly string[]],
  limit: number,
): string[] {
  if (first.some((id) => second.includes(id))) return [...whole];
  const kept = whole.slice(0, Math.ceil(limit / 2));
  return [...new Set([...kept, ...first.slice(0, 1), ...second.slice(0, 1), ...whole])].slice(0, limit);
}
