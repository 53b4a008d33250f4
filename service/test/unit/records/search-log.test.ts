import { expect, onTestFinished, test } from 'vitest';
import type { SearchTexts } from '#sdk/protocol/admin';
import { silentLogger } from '../../../src/lib/logger';
import { SearchLog } from '../../../src/records/search-log';
import { openStore } from '../../../src/store/open-store';
import { newSearches } from '../../support/searches';

const MINUTE = 60_000;

async function open(texts: SearchTexts) {
  const store = await openStore({ data: undefined, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  onTestFinished(() => store.close());
  const { searches, clock, search: searched, call } = newSearches();
  const log = new SearchLog({ store: store.searches, texts });
  searches.observe(log);
  const search = (keyId: string, query: string, shown: string[]) => searched(query, shown, { keyId });
  const kept = async () => {
    searches.sweep();
    await log.write();
    const found = await store.searches.list({ limit: 100, offset: 0, unmet: false });
    return found.map(({ query, searches, keys, empty, used }) => ({ query, searches, keys, empty, used }));
  };
  return { log, searches, clock, search, call, kept, store };
}

test('all: every text with its results, and their use', async () => {
  const { search, call, kept, store } = await open('all');
  const flowers = search('key_a', 'Buy  Flowers', ['shop__buy', 'shop__list']);
  search('key_b', 'buy flowers', ['shop__buy']);
  search('key_b', 'teleport', []);
  call(flowers, 'shop__buy');
  call(flowers, 'shop__buy');
  call(flowers, 'shop__list');
  call(flowers, 'shop__buy', { agentKeyId: 'key_c' });
  expect(await kept()).toEqual([
    { query: 'buy flowers', searches: 2, keys: 2, empty: 0, used: 1 },
    { query: 'teleport', searches: 1, keys: 1, empty: 1, used: 0 },
  ]);
  const [found] = await store.searches.list({ limit: 1, offset: 0, unmet: false });
  expect(found?.actions).toEqual([
    { action: 'shop__buy', shown: 2, used: 1 },
    { action: 'shop__list', shown: 1, used: 0 },
  ]);
});

test('unmet: searches without results at once, unused ones after ten minutes, and never used ones', async () => {
  const { search, call, clock, kept } = await open('unmet');
  search('key_a', 'teleport', []);
  const flowers = search('key_a', 'buy flowers', ['shop__buy']);
  search('key_a', 'list flowers', ['shop__list']);
  expect(await kept()).toEqual([{ query: 'teleport', searches: 1, keys: 1, empty: 1, used: 0 }]);
  call(flowers, 'shop__buy');
  clock.now += 11 * MINUTE;
  expect((await kept()).map(({ query }) => query)).toEqual(['list flowers', 'teleport']);
});

test('unmet: a search does not count if a call without a search id may belong to it', async () => {
  const { searches, search, clock, kept } = await open('unmet');
  search('key_a', 'list flowers', ['shop__list', 'shop__buy']);
  search('key_a', 'buy flowers', ['shop__buy']);
  const ended = (id: string, actionId: string) => ({ key: { id }, searchId: undefined, accepted: { actionId } });
  searches.requestEnded(ended('key_a', 'shop__buy'), 'OK');
  searches.requestEnded(ended('key_a', 'shop__list'), 'ACTION_FAILED');
  searches.requestEnded(ended('key_b', 'shop__list'), 'OK');
  clock.now += 11 * MINUTE;
  expect((await kept()).map(({ query }) => query)).toEqual(['list flowers']);
});

test('unmet: a search that is evicted early does not count', async () => {
  const { search, clock, kept } = await open('unmet');
  for (let index = 0; index < 250; index++) search('key_a', `buy ${index}`, ['shop__buy']);
  clock.now += 11 * MINUTE;
  expect((await kept()).length).toBe(100);
  expect((await kept()).map(({ query }) => query)).not.toContain('buy 0');
});

test('off: no text is stored, and existing texts are deleted', async () => {
  const { log, search, call, kept, clock } = await open('all');
  search('key_a', 'buy flowers', ['shop__buy']);
  await log.write();
  search('key_a', 'buy trees', ['shop__buy']);
  await log.change('off');
  call(search('key_a', 'buy stones', ['shop__buy']), 'shop__buy');
  clock.now += 11 * MINUTE;
  expect(await kept()).toEqual([]);
});

test('a search for a known action id is not recorded', async () => {
  const { search, kept } = await open('all');
  search('key_a', 'shop__buy', ['shop__buy']);
  search('key_a', 'shop__gone', []);
  expect((await kept()).map(({ query }) => query)).toEqual(['shop__gone']);
});
