/** Past searches that were followed by a successful call, as files of queries hold them. */
import { BadInput } from '../retrieval/bad-input.ts';
import type { Entry } from '../retrieval/entries.ts';
import type { LogLine } from '../retrieval/lines.ts';
import { idFinder, type Question } from './questions.ts';

const LOG_SPLIT = 'log';

export interface LoggedSearch {
  query: string;
  /** Ids of the actions that were called after it. */
  actions: string[];
}

export interface UsageLog {
  searches: LoggedSearch[];
  /** Notes on the file for the reader. */
  notes: string[];
}

/** Keeps the lines of the split "log" and those without a split. Throws BadInput when there are none. */
export function toUsageLog(lines: readonly LogLine[], entries: readonly Entry[], questions: readonly Question[]): UsageLog {
  const logged = lines.filter(({ split }) => split === undefined || split === LOG_SPLIT);
  if (logged.length === 0) throw new BadInput(`The log holds no search: every line has a split, and none is "${LOG_SPLIT}"`);
  const idOf = idFinder(entries);
  let unknown = 0;
  const searches = logged.map(({ src, query, relevant }) => {
    const actions = relevant.map((id) => idOf(src, id)).filter((id) => id !== undefined);
    unknown += relevant.length - actions.length;
    return { query, actions };
  });
  const texts = new Set(searches.map(({ query }) => query));
  const repeated = questions.filter(({ query }) => texts.has(query)).length;
  const notes = [`${searches.length} logged searches; the log names no agent keys, so each counts as that of another agent`];
  if (unknown > 0) notes.push(`${unknown} calls in the log are of actions that are in no file, and teach nothing`);
  if (repeated > 0) notes.push(`${repeated} of ${questions.length} queries stand in the log word for word`);
  return { searches, notes };
}

/** Action id -> after how many logged searches it was called. */
export function historyOf(searches: readonly LoggedSearch[]): Map<string, number> {
  const history = new Map<string, number>();
  for (const id of searches.flatMap(({ actions }) => actions)) history.set(id, (history.get(id) ?? 0) + 1);
  return history;
}
