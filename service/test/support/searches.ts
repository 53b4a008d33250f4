/** Searches of one node with a separate clock, and the events of their observer. */
import { Searches } from '../../src/searches/searches';

export const NOBODY_ELSE = { reportSearchNews() {}, onSearchNews() {} };

export function newSearches() {
  const clock = { now: 1_700_000_000_000 };
  const searches = new Searches({ cluster: NOBODY_ELSE, node: 'node_a', now: () => clock.now });
  const told: unknown[][] = [];
  searches.observe({
    searched: ({ query }) => query !== 'private',
    succeeded: ({ query }, action) => told.push(['succeeded', query, action]),
    failed: ({ query }, action) => told.push(['failed', query, action]),
    reworded: ({ query }, next) => told.push(['reworded', query, next.action]),
    removed: ({ query }, reason) => told.push(['removed', query, reason]),
  });
  const search = (
    query: string,
    shown: string[],
    { keyId = 'key_a', previousId }: { keyId?: string; previousId?: string | undefined } = {},
  ) => searches.searched({ keyId, query, shown, previousId });
  const call = (searchId: string | undefined, action: string, { agentKeyId = 'key_a', code = 'OK' } = {}) =>
    searches.outcomeRecorded({ searchId: searchId ?? '', agentKeyId, action, code });
  /** The reports since the last look. */
  const heard = () => told.splice(0);
  return { searches, clock, search, call, heard };
}
