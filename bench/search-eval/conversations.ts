/**
 * A log replayed as conversations: a search that does not show its action is followed by the next one in the log that shows it, as if an agent had
 * reworded its query. Both are of different people, so they share fewer words than a query and its rewording.
 */
import type { LoggedSearch } from './usage-log.ts';

export interface Conversations {
  /** Ids of the actions that a search shows now. */
  show: (query: string) => readonly string[];
  /** The action was called after the search that showed it. */
  called: (search: LoggedSearch, action: string) => void;
  /** The action was called after the next search of the conversation. */
  reworded: (search: LoggedSearch, action: string, next: LoggedSearch) => void;
}

export function replayConversations(searches: readonly LoggedSearch[], { show, called, reworded }: Conversations): void {
  const waiting = new Map<string, LoggedSearch[]>();
  for (const search of searches) {
    const shown = new Set(show(search.query));
    for (const action of search.actions) {
      const before = waiting.get(action) ?? [];
      waiting.set(action, before);
      if (!shown.has(action)) {
        before.push(search);
        continue;
      }
      called(search, action);
      const first = before.shift();
      if (first) reworded(first, action, search);
    }
  }
}
