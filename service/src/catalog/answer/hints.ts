/** Hints of a search beside its results: sentences for a model, the same for the same case. No hint may reveal a forbidden action. */
import { parseActionId } from '#sdk/protocol/ids';
import { tokenize } from '../search/tokenize';
import type { Query } from './clean-query';

export interface Outcome {
  query: Query;
  /** Ids of everything that is shown. */
  shown: readonly string[];
  offline: readonly string[];
  /** Whether some of it is not there in whole, and a search for its id would give that. */
  partial: boolean;
}

export const PARTIAL_HINT = 'Search for an exact action id to see all of an action that is in `more` or `shortened`.';
const SAY_WHAT = 'Say in plain words what one action should do, such as "convert units" or "weather forecast".';

export function hintOf({ query, shown, offline, partial }: Outcome): string | undefined {
  const hints = [
    query.cutTo !== undefined && `Only the first ${query.cutTo} characters of the query were read; a few words find better.`,
    aboutResults(query.text, shown, offline),
    partial && PARTIAL_HINT,
  ];
  return hints.filter(Boolean).join(' ') || undefined;
}

function aboutResults(text: string, shown: readonly string[], offline: readonly string[]): string | undefined {
  if (offline.includes(text)) return `${text} is offline now; try again later${shown.length > 0 ? ', or use another action' : ''}.`;
  if (parseActionId(text) && !shown.includes(text)) {
    const instead = shown.length > 0 ? 'these come near it' : `search in plain words. ${SAY_WHAT}`;
    return `There is no action ${text} that you can use now; ${instead}${shown.length > 0 ? '.' : ''}`;
  }
  if (shown.length > 0) return undefined;
  if (offline.length > 0) return 'The matching actions are offline now; try again later, or other words.';
  return hasWords(text) ? `Nothing fits; try other or fewer words. ${SAY_WHAT}` : `The query has no words to search by. ${SAY_WHAT}`;
}

function hasWords(text: string): boolean {
  const { words, joined } = tokenize(text);
  return words.length + joined.length > 0;
}
