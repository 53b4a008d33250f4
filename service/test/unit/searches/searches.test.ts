import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../../../src/bus/local-bus';
import { Cluster, type NodeOffers, type NodeServer } from '../../../src/cluster/cluster';
import { silentLogger } from '../../../src/lib/logger';
import { Searches } from '../../../src/searches/searches';
import { newSearches } from '../../support/searches';

const MINUTE_MS = 60_000;

test('a call belongs to the search that it names, and each action counts once for a search', () => {
  const { search, call, heard } = newSearches();
  const mail = search('mail', ['mail__send', 'mail__read']);
  search('newer words', ['mail__send']);
  call(mail, 'mail__send');
  call(mail, 'mail__send');
  call(mail, 'mail__read');
  expect(heard()).toEqual([
    ['succeeded', 'mail', 'mail__send'],
    ['succeeded', 'mail', 'mail__read'],
  ]);
});

test('a call with no search, an unknown one, or an invalid id is not evidence', () => {
  const { search, call, heard } = newSearches();
  search('mail', ['mail__send']);
  for (const id of ['', '.', 'node_a', 'node_a.0', 'node_b.0', '\u0000', 'x'.repeat(1_000)]) call(id, 'mail__send');
  expect(heard()).toEqual([]);
});

test('a call of another key, of an action outside the results, or after ten minutes is not evidence', () => {
  const { clock, search, call, heard } = newSearches();
  const mail = search('mail', ['mail__send']);
  call(mail, 'mail__send', { agentKeyId: 'key_b' });
  call(mail, 'mail__read');
  clock.now += 10 * MINUTE_MS + 1;
  call(mail, 'mail__send');
  expect(heard()).toEqual([]);
});

test('a failed handler counts once, and a success after it counts too; other errors are not evidence', () => {
  const { search, call, heard } = newSearches();
  const mail = search('mail', ['mail__send']);
  for (const code of ['INVALID_PAYLOAD', 'TOOLKIT_OFFLINE', 'ACTION_FAILED', 'ACTION_FAILED', 'OK']) call(mail, 'mail__send', { code });
  expect(heard()).toEqual([
    ['failed', 'mail', 'mail__send'],
    ['succeeded', 'mail', 'mail__send'],
  ]);
});

test('unused searches of one conversation get the action of a later search as evidence', () => {
  const { search, call, heard } = newSearches();
  const first = search('note to boss', []);
  const second = search('tell boss', ['notes__add'], { previousId: first });
  search('of another conversation', []);
  const third = search('mail to boss', ['mail__send'], { previousId: second });
  call(third, 'mail__send');
  expect(heard()).toEqual([
    ['succeeded', 'mail to boss', 'mail__send'],
    ['reworded', 'tell boss', 'mail__send'],
    ['reworded', 'note to boss', 'mail__send'],
  ]);
  const fourth = search('to boss', ['mail__send'], { previousId: second });
  call(fourth, 'mail__send');
  expect(heard()).toEqual([['succeeded', 'to boss', 'mail__send']]);
});

test('a search before it is not reworded after two minutes, after a use, when it showed the action, or by another key', () => {
  const { clock, search, call, heard } = newSearches();
  const old = search('old', []);
  clock.now += 2 * MINUTE_MS + 1;
  const used = search('used', ['mail__read'], { previousId: old });
  call(used, 'mail__read');
  const showed = search('showed', ['mail__send'], { previousId: used });
  const last = search('last', ['mail__send'], { previousId: showed });
  heard();
  call(last, 'mail__send');
  expect(heard()).toEqual([['succeeded', 'last', 'mail__send']]);
  const stranger = search('stranger', ['mail__send'], { keyId: 'key_b', previousId: search('mine', []) });
  call(stranger, 'mail__send', { agentKeyId: 'key_b' });
  expect(heard()).toEqual([['succeeded', 'stranger', 'mail__send']]);
});

test('for a search without an observer nothing is stored and no id returned', () => {
  const { search } = newSearches();
  expect(search('private', ['mail__send'])).toBeUndefined();
});

test('one key, and all of them, hold so many searches; the oldest go first, and old ones are swept', () => {
  const { searches, clock, search, call, heard } = newSearches();
  const ids = Array.from({ length: 201 }, (_, index) => search(`query ${index}`, ['mail__send']));
  expect(heard()).toEqual([['removed', 'query 0', 'evicted']]);
  call(ids[0], 'mail__send');
  call(ids[1], 'mail__send');
  expect(heard()).toEqual([['succeeded', 'query 1', 'mail__send']]);
  for (let key = 0; key < 10_000; key++) search('query', ['tool__x'], { keyId: `key_${key}` });
  heard();
  call(ids[200], 'mail__send');
  expect(heard()).toEqual([]);
  clock.now += 10 * MINUTE_MS + 1;
  searches.sweep();
  expect(heard()).toHaveLength(10_000);
  search('again', ['mail__send']);
  searches.clear();
  expect(heard()).toEqual([]);
});

test('a call that ends at another node is reported to the node of its search, with the result of the search before it', async () => {
  const bus = new LocalBus();
  onTestFinished(() => bus.close());
  const server: NodeServer = { call() {}, join() {}, cancel() {}, callCancelled() {}, instanceMoved() {}, othersCounted() {} };
  const offers: NodeOffers = {
    offer: () => ({ replicas: 0, actions: [] }),
    toolkitIds: () => [],
    counts: () => ({}),
    activity: () => ({ running: 0, queued: 0, processes: [] }),
  };
  const open = async (node: string) => {
    const cluster = new Cluster({ bus, node, logger: silentLogger });
    onTestFinished(() => cluster.close());
    await cluster.start(offers, server, 1);
    const searches = new Searches({ cluster, node });
    const told: unknown[][] = [];
    searches.observe({
      searched: () => true,
      succeeded: ({ query }, action) => told.push([query, action]),
      reworded: ({ query }, next) => told.push([query, next]),
    });
    return { cluster, searches, told };
  };
  const [here, there] = [await open('node_a'), await open('node_b')];
  await vi.waitFor(() => expect([here.cluster.size, there.cluster.size]).toEqual([1, 1]));

  const first = here.searches.searched({ keyId: 'key_a', query: 'note', shown: [], previousId: undefined });
  const second = there.searches.searched({ keyId: 'key_a', query: 'mail', shown: ['mail__send'], previousId: first }) as string;
  here.searches.outcomeRecorded({ searchId: second, agentKeyId: 'key_b', action: 'mail__send', code: 'OK' });
  here.searches.outcomeRecorded({ searchId: second, agentKeyId: 'key_a', action: 'mail__send', code: 'OK' });
  await vi.waitFor(() => expect(there.told).toEqual([['mail', 'mail__send']]));
  await vi.waitFor(() => expect(here.told).toEqual([['note', expect.objectContaining({ query: 'mail', action: 'mail__send' })]]));
});
