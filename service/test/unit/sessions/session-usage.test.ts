/** Reports of tokens on their way to a real store. */
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/lib/logger';
import { SessionUsage } from '../../../src/sessions/session-usage';
import { openStore } from '../../../src/store/open-store';

async function newUsage(texts: 'off' | 'all') {
  const store = await openStore({ data: undefined, database: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  onTestFinished(() => store.close());
  return { store: store.sessionSums, usage: new SessionUsage({ store: store.sessionSums, texts }) };
}

const turn = (id: string) => ({ model: 'gpt-6', id, inputTokens: 100, outputTokens: 20 });

test('a report that a retry repeats counts once, before and after a write', async () => {
  const { store, usage } = await newUsage('all');
  expect(await usage.write()).toBe(false);
  usage.add('key_a', 'chat', 'ada', [turn('u1'), { ...turn('u2'), cachedTokens: 64 }]);
  usage.add('key_a', 'chat', 'ada', [turn('u1')]);
  expect(await usage.write()).toBe(true);
  usage.add('key_a', 'chat', 'ada', [turn('u2')]);
  usage.add('key_b', 'chat', undefined, [turn('u2')]);
  await usage.write();
  expect(await store.models({ sessionId: 'chat' }, ['key_a'])).toEqual([
    { model: 'gpt-6', tokens: { input: 200, cached: 64, output: 40 } },
  ]);
  expect(await store.find('chat', ['key_b'])).toMatchObject([{ userId: null, tokens: { input: 100, cached: 0, output: 20 } }]);
});

test('without texts the name of a model is not stored, and those that are stored are removed; tokens count', async () => {
  const { store, usage } = await newUsage('all');
  usage.add('key_a', 'chat', undefined, [turn('u1')]);
  await usage.write();
  usage.add('key_a', 'chat', undefined, [turn('u2')]);
  await usage.change('off');
  usage.add('key_a', 'chat', undefined, [turn('u3')]);
  await usage.write();
  expect(await store.models({ sessionId: 'chat' })).toEqual([{ model: '', tokens: { input: 300, cached: 0, output: 60 } }]);
});

test('reports that the store does not take are written with the next ones', async () => {
  const { store, usage } = await newUsage('all');
  const failing = new SessionUsage({
    store: { addUsage: () => Promise.reject(new Error('away')), forgetModels: () => store.forgetModels() },
    texts: 'all',
  });
  failing.add('key_a', 'chat', undefined, [turn('u1')]);
  await expect(failing.write()).rejects.toThrow('away');
  await expect(failing.write()).rejects.toThrow('away');
  usage.add('key_a', 'chat', undefined, [turn('u1')]);
  await usage.write();
  expect(await store.find('chat')).toMatchObject([{ tokens: { input: 100 } }]);
});
