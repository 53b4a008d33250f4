import { expect, onTestFinished, test } from 'vitest';
import type { SearchTexts } from '../../../src/protocol/admin';
import { silentLogger } from '../../../src/service/logger';
import { SearchLog } from '../../../src/service/records/search-log';
import { openStore } from '../../../src/service/store/open-store';

const MINUTE = 60_000;

async function open(texts: SearchTexts) {
  const store = await openStore({ data: undefined, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  onTestFinished(() => store.close());
  const clock = { now: Date.UTC(2030, 0, 1, 12) };
  const told: unknown[][] = [];
  const news = { shown: (...it: unknown[]) => told.push(['shown', ...it]), used: (...it: unknown[]) => told.push(['used', ...it]) };
  const log = new SearchLog({ store: store.searches, news, texts, now: () => clock.now });
  const kept = async () => {
    await log.write();
    const found = await store.searches.list({ limit: 100, offset: 0, unmet: false });
    return found.map(({ query, searches, keys, empty, used }) => ({ query, searches, keys, empty, used }));
  };
  return { log, clock, told, kept, store };
}

test('all: every text with what it showed, and whether that was used', async () => {
  const { log, kept, store } = await open('all');
  log.searched('key_a', 'Buy  Flowers', ['shop__buy', 'shop__list']);
  log.searched('key_b', 'buy flowers', ['shop__buy']);
  log.searched('key_b', 'teleport', []);
  log.succeeded('key_a', 'shop__buy', true);
  log.succeeded('key_a', 'shop__buy', true);
  log.succeeded('key_c', 'shop__buy', true);
  expect(await kept()).toEqual([
    { query: 'buy flowers', searches: 2, keys: 2, empty: 0, used: 1 },
    { query: 'teleport', searches: 1, keys: 1, empty: 1, used: 0 },
  ]);
  const [flowers] = await store.searches.list({ limit: 1, offset: 0, unmet: false });
  expect(flowers?.actions).toEqual([
    { action: 'shop__buy', shown: 2, used: 1 },
    { action: 'shop__list', shown: 1, used: 0 },
  ]);
});

test('unmet: what found nothing at once, what led to nothing after ten minutes, and never what was used', async () => {
  const { log, clock, kept } = await open('unmet');
  log.searched('key_a', 'teleport', []);
  log.searched('key_a', 'buy flowers', ['shop__buy']);
  log.searched('key_a', 'list flowers', ['shop__list']);
  expect(await kept()).toEqual([{ query: 'teleport', searches: 1, keys: 1, empty: 1, used: 0 }]);
  log.succeeded('key_a', 'shop__buy', true);
  clock.now += 11 * MINUTE;
  expect((await kept()).map(({ query }) => query)).toEqual(['list flowers', 'teleport']);
});

test('unmet: what must be forgotten before its time is not taken for unmet', async () => {
  const { log, clock, kept } = await open('unmet');
  for (let index = 0; index < 250; index++) log.searched('key_a', `buy ${index}`, ['shop__buy']);
  clock.now += 11 * MINUTE;
  await log.write();
  expect((await kept()).length).toBe(100);
  expect((await kept()).map(({ query }) => query)).not.toContain('buy 0');
});

test('off: nothing at all, and what was there is gone', async () => {
  const { log, kept, clock, told } = await open('all');
  log.searched('key_a', 'buy flowers', ['shop__buy']);
  await log.write();
  log.searched('key_a', 'buy trees', ['shop__buy']);
  await log.change('off');
  told.length = 0;
  log.searched('key_a', 'buy stones', ['shop__buy']);
  log.succeeded('key_a', 'shop__buy', true);
  clock.now += 11 * MINUTE;
  expect(await kept()).toEqual([]);
  expect(told).toEqual([]);
});

test('a search that was turned from all to unmet is written no more', async () => {
  const { log, clock, kept } = await open('unmet');
  log.searched('key_a', 'buy flowers', ['shop__buy']);
  await log.change('off');
  await log.change('unmet');
  clock.now += 11 * MINUTE;
  expect(await kept()).toEqual([]);
});

test('who asks for an action by its id looks for nothing', async () => {
  const { log, kept } = await open('all');
  log.searched('key_a', 'shop__buy', ['shop__buy']);
  log.searched('key_a', 'shop__gone', []);
  expect((await kept()).map(({ query }) => query)).toEqual(['shop__gone']);
});

test('a search that another node made is used by a call here, and only that node counts it', async () => {
  const here = await open('all');
  const there = await open('all');
  there.log.searched('key_a', 'buy flowers', ['shop__buy']);
  expect(there.told).toEqual([['shown', 'key_a', ['shop__buy']]]);
  here.log.heard('key_a', ['shop__buy']);
  here.log.succeeded('key_a', 'shop__buy', true);
  here.log.succeeded('key_a', 'shop__buy', true);
  expect(here.told).toEqual([['used', 'key_a', 'shop__buy']]);
  there.log.succeeded('key_a', 'shop__buy', false);
  expect(await there.kept()).toMatchObject([{ used: 1 }]);
  expect(await here.kept()).toEqual([]);
});
