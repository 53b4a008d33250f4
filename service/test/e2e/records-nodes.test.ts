// @module-tag postgres
// @module-tag nats
/** The records of calls that another node runs, and of searches at one node and calls at another. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { balancedTools, offeredAt } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { type RecordedOptions, startRecorded } from '../../../test/support/recorded-service';

const SOON = { timeout: 30_000 };

async function startTwo(settings: RecordedOptions['settings'] = {}) {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const here = await startRecorded({ database, nats: nats.url, settings });
  const there = await startRecorded({ database, nats: nats.url });
  await there.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'buy', actionDescription: 'Buys flowers' }, (ctx, payload) => {
      ctx.progress({ progress: 1 });
      return payload;
    });
  });
  await offeredAt([here], 'shop__buy');
  const { key } = await here.keys.create({ kind: 'agent', name: 'agent' });
  const [tools, toolsThere] = [here, there].map(({ url }) => new Tools({ baseUrl: url, apiKey: key })) as [Tools, Tools];
  return { here, there, tools, toolsThere, balanced: balancedTools(key) };
}

test('a call that another node runs is recorded once with both nodes, and is counted once', async () => {
  const { here, there, tools } = await startTwo({ content: 'all' });
  await tools.invoke('shop__buy', { city: 'Bonn' });
  const keyed = await tools.invoke('shop__buy', { city: 'Köln' }, { idempotencyKey: 'one' });
  expect(await tools.invoke('shop__buy', { city: 'Köln' }, { idempotencyKey: 'one' })).toMatchObject({ replayed: true });
  await vi.waitFor(async () => {
    expect((await here.timeline(keyed.invocationId)).map(({ what, detail }) => [what, detail])).toEqual([
      ['received', here.store.node],
      ['forwarded', 'a node that offers it'],
      ['received', there.store.node],
      ['claimed', there.store.node],
      ['sent', expect.stringMatching(new RegExp(`^process \\S+ at ${there.store.node}$`))],
      ['progress', '1'],
      ['ended', 'OK'],
    ]);
    expect(await here.details(keyed.invocationId)).toMatchObject({ payload: '{"city":"Köln"}', result: '{"city":"Köln"}' });
  }, SOON);
  expect(await here.calls()).toHaveLength(2);
  const span = { from: 0, to: Date.now() + 60_000 };
  await vi.waitFor(async () => {
    const counts = await here.store.counts.totals({ dimension: 'action', step: 3600, ...span });
    expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
  }, SOON);
});

test('a search at one node is used by a call that the other node receives or runs', async () => {
  const { here, there, balanced } = await startTwo({ searchTexts: 'all' });
  await balanced.at(here).search('buy flowers');
  await balanced.at(there).invoke('shop__buy', {});
  await balanced.at(here).search('flowers to buy');
  await balanced.at(here).invoke('shop__buy', {});
  await balanced.at(here).search('teleport me home');
  await vi.waitFor(async () => {
    const found = await here.store.searches.list({ limit: 10, offset: 0, unmet: false });
    expect(found.map(({ query, used }) => [query, used]).sort()).toEqual([
      ['buy flowers', 1],
      ['flowers to buy', 1],
      ['teleport me home', 0],
    ]);
  }, SOON);
});

test('settings that one node receives apply at the other', async () => {
  const { here, there, toolsThere } = await startTwo();
  await here.store.settings.put([{ name: 'content', value: 'all' }], Date.now());
  await vi.waitFor(async () => {
    const { invocationId } = await toolsThere.invoke('shop__buy', { city: 'Bonn' });
    await vi.waitFor(async () => expect((await there.details(invocationId))?.timeline).toContain('ended'));
    expect((await there.details(invocationId))?.payload).toContain('Bonn');
  }, SOON);
});
