import { expect, test } from 'vitest';
import { replayConversations } from '../../../../bench/search-eval/conversations.ts';

test('a search that does not show its action is followed by the next that does', () => {
  const search = (query: string) => ({ query, actions: ['mail__send'] });
  const events: string[] = [];
  replayConversations(['unseen 1', 'unseen 2', 'seen 3', 'seen 4', 'seen 5'].map(search), {
    show: (query) => (query.startsWith('seen') ? ['mail__send'] : []),
    called: ({ query }) => events.push(query),
    reworded: ({ query }, _, next) => events.push(`${query} -> ${next.query}`),
  });
  expect(events).toEqual(['seen 3', 'unseen 1 -> seen 3', 'seen 4', 'unseen 2 -> seen 4', 'seen 5']);
});
