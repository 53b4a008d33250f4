/** Settings and changes, at one node and between nodes: a real store, real clusters, a bus in this process. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '#sdk/protocol/admin';
import { LocalBus } from '../../../src/bus/local-bus';
import { Cluster, type NodeOffers, type NodeServer } from '../../../src/cluster/cluster';
import { silentLogger } from '../../../src/lib/logger';
import { openRecords } from '../../../src/records/open-records';
import { Searches } from '../../../src/searches/searches';
import { openStore } from '../../../src/store/open-store';
import type { InvocationStart } from '../../../src/store/store';
import { aGrant } from '../../contract/store-records';

const SERVER: NodeServer = { call() {}, join() {}, cancel() {}, callCancelled() {}, instanceMoved() {}, othersCounted() {} };
const OFFERS: NodeOffers = {
  offer: () => ({ replicas: 0, actions: [] }),
  toolkitIds: () => [],
  counts: () => ({}),
  activity: () => ({ running: 0, queued: 0, processes: [] }),
};
const DAY = 24 * 3_600_000;

async function newStore() {
  const store = await openStore({ data: undefined, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  onTestFinished(() => store.close());
  return store;
}

/** Nodes on one store and one bus. */
async function openNodes(
  count: number,
  { store, logger = silentLogger }: { store?: Awaited<ReturnType<typeof newStore>>; logger?: typeof silentLogger } = {},
) {
  const shared = store ?? (await newStore());
  const bus = new LocalBus();
  onTestFinished(() => bus.close());
  const { invocations, counts, searches, sessionRequests, sessionSums, ledger, sightings, listings, oauth, settings } = shared;
  const nodes = [];
  for (let number = 0; number < count; number++) {
    const node = `node_${number}`;
    const cluster = new Cluster({ bus, node, logger });
    onTestFinished(() => cluster.close());
    await cluster.start(OFFERS, SERVER, 1);
    const ofNode = new Searches({ cluster, node });
    const records = await openRecords({
      store: { node, invocations, counts, searches, sessionRequests, sessionSums, ledger, sightings, listings, oauth, settings },
      cluster,
      catalog: { action: () => undefined },
      hub: { replicas: { toolkitIds: () => [], count: () => 0 } },
      searches: ofNode,
      logger,
    });
    onTestFinished(() => records.close());
    nodes.push({ records, cluster, searches: ofNode });
  }
  for (const { cluster } of nodes) await vi.waitFor(() => expect(cluster.size).toBe(count - 1));
  return { store: shared, nodes: nodes.map(({ records }) => records), searches: nodes.map((node) => node.searches) };
}

test('settings are the defaults with what was changed, are stored, and other nodes follow', async () => {
  const { store, nodes } = await openNodes(2);
  const [here, there] = nodes;
  expect(here?.settings).toEqual(DEFAULT_SETTINGS);
  expect(await here?.changeSettings({ content: 'errors', redact: ['pin'] })).toEqual({
    ...DEFAULT_SETTINGS,
    content: 'errors',
    redact: ['pin'],
  });
  await vi.waitFor(() => expect(there?.settings).toEqual(here?.settings));
  const { nodes: later } = await openNodes(1, { store });
  expect(later[0]?.settings).toEqual(here?.settings);
});

test.each([
  [{ content: 'some' }, 'content: write "off", "errors" or "all"'],
  [{ contentBytes: 255 }, 'contentBytes: write a whole number from 256 to 262144 (bytes)'],
  [{ contentBytes: '1000' }, 'contentBytes: write a whole number'],
  [{ retentionDays: 3_651 }, 'retentionDays: write a whole number from 1 to 3650 (days)'],
  [{ retentionDays: 1.5 }, 'retentionDays: write a whole number'],
  [{ redact: Array.from({ length: 101 }, String) }, 'redact: at most 100 names'],
  [{ redact: [''] }, 'redact[0]: a name has 1 to 64 characters'],
  [{ redact: 'pin' }, 'redact: write a list of names'],
  [{ searchTexts: true }, 'searchTexts: write "off", "unmet" or "all"'],
  [{ colour: 'red' }, 'colour'],
])('a change that is none is refused with what to write, and changes nothing: %j', async (change, message) => {
  const { store, nodes } = await openNodes(1);
  await expect(nodes[0]?.changeSettings(change as object)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message),
  });
  expect(nodes[0]?.settings).toEqual(DEFAULT_SETTINGS);
  expect(await store.settings.all()).toEqual([]);
});

test('a stored value that is none falls back to its default, and is logged once', async () => {
  const store = await newStore();
  await store.settings.put(
    [
      { name: 'retentionDays', value: 'for ever' },
      { name: 'content', value: 'all' },
    ],
    1,
  );
  const error = vi.fn();
  const { nodes } = await openNodes(1, { store, logger: { ...silentLogger, error } });
  expect(nodes[0]?.settings).toEqual({ ...DEFAULT_SETTINGS, content: 'all' });
  await nodes[0]?.changeSettings({ contentBytes: 300 });
  expect(error.mock.calls).toEqual([[{ setting: 'retentionDays' }, expect.any(String)]]);
});

test('listeners at any node receive the changes at one node, together and at most once a second', async () => {
  const { nodes } = await openNodes(2);
  const heard: { at: number; changed: string[] }[] = [];
  const stop = nodes[1]?.onChange((changed) => heard.push({ at: performance.now(), changed }));
  for (let round = 0; round < 3; round++) nodes[0]?.changed('keys', 'toolkits', 'keys');
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(heard[0]?.changed).toEqual(['keys', 'toolkits']);
  nodes[0]?.changed('people');
  nodes[1]?.changed('searches');
  await vi.waitFor(() => expect(heard.flatMap(({ changed }) => changed)).toEqual(expect.arrayContaining(['people', 'searches'])), {
    timeout: 4_000,
  });
  for (const [index, { at }] of heard.entries()) expect(at - (heard[index - 1]?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(990);
  stop?.();
  const before = heard.length;
  const other = new Promise((resolve) => nodes[1]?.onChange(resolve));
  nodes[1]?.changed('settings');
  await other;
  expect(heard).toHaveLength(before);
});

test('calls older than the retention are deleted with their details; counts by hour stay for 400 days', async () => {
  const { store, nodes } = await openNodes(1);
  const now = Date.now();
  const idAt = (at: number) => `inv_${at.toString(36).padStart(9, '0')}AAAAAAAAAAAAAAAA`;
  for (const days of [1, 40, 500]) {
    const startedAt = now - days * DAY;
    const start: InvocationStart = {
      id: idAt(startedAt),
      agentKeyId: 'key_a',
      idempotencyKey: null,
      requestHash: '',
      action: 'a__b',
      startedAt,
    };
    store.invocations.refused(start, { code: 'INVALID_PAYLOAD', body: null, endedAt: startedAt });
    store.invocations.keepDetails({ id: start.id, timeline: '[]', payload: '{}', result: null });
    for (const step of [60, 3600] as const) {
      const at = startedAt - (startedAt % (step * 1_000));
      await store.counts.add([{ dimension: 'all', name: '', step, start: at, code: 'OK', bucket: 1, calls: 1 }]);
    }
    const day = startedAt - (startedAt % DAY);
    await store.searches.add([{ day, query: `${days}`, agentKeyIds: ['key_a'], searches: 1, empty: 1, used: 0, lastAt: startedAt }]);
  }
  await nodes[0]?.changeSettings({ searchTexts: 'all' });
  await nodes[0]?.applyRetention();
  expect((await store.invocations.list({ limit: 10 })).map(({ startedAt }) => startedAt)).toEqual([now - DAY]);
  expect(await store.invocations.details(idAt(now - DAY))).toBeDefined();
  expect(await store.invocations.details(idAt(now - 40 * DAY))).toBeUndefined();
  const left = async (step: 60 | 3600) =>
    (await store.counts.series({ dimension: 'all', names: [''], step, from: 0, to: now + DAY })).length;
  expect([await left(60), await left(3600)]).toEqual([1, 2]);
  expect((await store.searches.list({ limit: 10, offset: 0, unmet: false })).map(({ query }) => query)).toEqual(['1']);
});

test('grants are removed a day after their end', async () => {
  const { store, nodes } = await openNodes(1);
  const now = Date.now();
  await store.oauth.addGrant(aGrant({ id: 'yesterday', endedAt: now - 2 * DAY }));
  await store.oauth.addGrant(aGrant({ id: 'today', endedAt: now }));
  await nodes[0]?.applyRetention();
  expect(await store.oauth.grant('yesterday')).toBeUndefined();
  expect(await store.oauth.grant('today')).toBeDefined();
});

test('content of a node that was killed before it received the setting is removed in the next round', async () => {
  const { store, nodes } = await openNodes(1);
  await nodes[0]?.changeSettings({ content: 'all' });
  await nodes[0]?.changeSettings({ content: 'off' });
  store.invocations.keepDetails({ id: 'inv_1', timeline: '[]', payload: '{}', result: '1' });
  await vi.waitFor(async () => expect(await store.invocations.details('inv_1')).toBeDefined());
  await nodes[0]?.applyRetention();
  expect(await store.invocations.details('inv_1')).toEqual({ id: 'inv_1', timeline: '[]', payload: null, result: null });
});

test('a search of before the setting was changed is not counted after that', async () => {
  const { store, nodes, searches } = await openNodes(1);
  const [records] = nodes;
  await records?.changeSettings({ searchTexts: 'unmet' });
  const searchId = searches[0]?.searched({ keyId: 'key_a', query: 'buy flowers', shown: ['shop__buy'], previousId: undefined }) ?? '';
  await records?.changeSettings({ searchTexts: 'all' });
  searches[0]?.outcomeRecorded({ searchId, agentKeyId: 'key_a', action: 'shop__buy', code: 'OK' });
  await records?.close();
  expect(await store.searches.list({ limit: 10, offset: 0, unmet: false })).toEqual([]);
});
