/**
 * "Did you mean": known ids that a wrong one may have meant.
 *
 * Shape:  closeness 0 to 1, the best of three views: the whole id by spelling, the action name by spelling, the words in any order.
 * Units:  about 2 µs an id.
 * Source: Levenshtein distance, by the `fastest-levenshtein` package; Dice's coefficient for the words.
 */
import { distance } from 'fastest-levenshtein';
import { ACTION_ID_SEPARATOR, MAX_ACTION_ID_CHARS } from '#sdk/protocol/ids';
import { stem } from './stem';

/** Ids with a larger distance mislead more than they help. */
const MIN_CLOSENESS = 0.6;
/** The distance of a slip of spelling. A name alone is short, so that other words come near it soon: `create_invoice`, `CreateDevice`. */
const MIN_SAME_ID = 0.7;
const MIN_SAME_NAME = 0.8;
/** The right words in another order, or with others between them, are less sure than the right spelling. */
const WORDS_SHARE = 0.9;
/** The right name without a toolkit id nearly names the action; with the id of another toolkit it is a guess. */
const NAME_ALONE_SHARE = 0.95;
const NAME_ELSEWHERE_SHARE = 0.7;
/** Twice the longest id: more of a hostile text is not worth a comparison. */
export const MAX_WANTED_CHARS = 2 * MAX_ACTION_ID_CHARS;

interface Spelling {
  /** Lower-case letters and digits only. */
  whole: string;
  /** The same of what follows the toolkit id; of everything when there is none. */
  name: string;
  /** Stems, each once. */
  words: string[];
}

/**
 * The ids nearest to a wrong one, best first and equal ones by id; none that is far off.
 *
 * @param wanted any text
 */
export function nearestIds(wanted: string, ids: Iterable<string>, limit = 3): string[] {
  const target = spell(wanted.slice(0, MAX_WANTED_CHARS));
  const nameShare = wanted.includes(ACTION_ID_SEPARATOR) ? NAME_ELSEWHERE_SHARE : NAME_ALONE_SHARE;
  const near: { id: string; closeness: number }[] = [];
  for (const id of ids) {
    const known = spell(id);
    const closeness = Math.max(
      sameness(target.whole, known.whole, MIN_SAME_ID),
      nameShare * sameness(target.name, known.name, MIN_SAME_NAME),
      WORDS_SHARE * overlap(target.words, known.words),
    );
    if (closeness >= MIN_CLOSENESS) near.push({ id, closeness });
  }
  near.sort((a, b) => b.closeness - a.closeness || (a.id < b.id ? -1 : 1));
  return near.slice(0, limit).map(({ id }) => id);
}

function spell(id: string): Spelling {
  const border = id.indexOf(ACTION_ID_SEPARATOR);
  const toolkit = pieces(border < 0 ? '' : id.slice(0, border));
  const action = pieces(border < 0 ? id : id.slice(border));
  const name = action.join('');
  return { whole: toolkit.join('') + name, name, words: [...new Set([...toolkit, ...action].map(stem))] };
}

/** Ids are ASCII, and this runs for every id there is: not the tokenizer of search, which reads all scripts. */
function pieces(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)?.map((piece) => piece.toLowerCase()) ?? [];
}

/** 1 for the same text; 0 when less than `least` of it is the same. */
function sameness(a: string, b: string, least: number): number {
  const length = Math.max(a.length, b.length);
  // The distance is at least the difference in length: most ids need no closer look.
  if (Math.min(a.length, b.length) < least * length) return 0;
  const same = 1 - distance(a, b) / length;
  return same >= least ? same : 0;
}

function overlap(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((word) => b.includes(word)).length;
  return common === 0 ? 0 : (2 * common) / (a.length + b.length);
}
