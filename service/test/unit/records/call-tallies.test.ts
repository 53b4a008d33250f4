import { expect, test } from 'vitest';
import { CallTallies } from '../../../src/records/call-tallies';
import type { CallCount } from '../../../src/store/console-store';

/** A store that fails as long as the test requests it. */
function flakyStore() {
  const added: CallCount[] = [];
  const store = {
    fails: false,
    added,
    calls: (dimension: string, name: string, step = 60) =>
      added.filter((it) => it.dimension === dimension && it.name === name && it.step === step).reduce((sum, { calls }) => sum + calls, 0),
    add: async (counts: readonly CallCount[]) => {
      if (store.fails) throw new Error('the disk is full');
      added.push(...counts);
    },
  };
  return store;
}

const HOUR = 3_600_000;
const call = { agentKeyId: 'key_a', action: 'shop__buy', code: 'OK', ms: 5, at: 500_000 * HOUR + 90_000 };

test('a call adds to its minute, its hour and its day, of all, its key, its toolkit and its action', async () => {
  const store = flakyStore();
  const tallies = new CallTallies(store);
  tallies.count(call);
  tallies.count(call);
  await tallies.write();
  expect(store.added).toHaveLength(12);
  const rows = store.added.map(({ dimension, name, step, start, calls }) => [dimension, name, step, start, calls]);
  for (const [dimension, name] of [
    ['all', ''],
    ['key', 'key_a'],
    ['toolkit', 'shop'],
    ['action', 'shop__buy'],
  ]) {
    expect(rows).toContainEqual([dimension, name, 60, 500_000 * HOUR + 60_000, 2]);
    expect(rows).toContainEqual([dimension, name, 3_600, 500_000 * HOUR, 2]);
    expect(rows).toContainEqual([dimension, name, 86_400, 20_833 * 24 * HOUR, 2]);
  }
  await tallies.write();
  expect(store.added).toHaveLength(12);
});

test('nothing is lost while the store fails', async () => {
  const store = flakyStore();
  const tallies = new CallTallies(store);
  store.fails = true;
  for (let round = 0; round < 3; round++) {
    tallies.count(call);
    tallies.count({ ...call, action: undefined, code: 'ACTION_NOT_FOUND' });
    await expect(tallies.write()).rejects.toThrow('the disk is full');
  }
  store.fails = false;
  await tallies.write();
  expect([store.calls('all', ''), store.calls('key', 'key_a'), store.calls('action', 'shop__buy')]).toEqual([6, 6, 3]);
});

test('counts that do not fit into memory while the store fails still count in the total', async () => {
  const store = flakyStore();
  const tallies = new CallTallies(store, 10);
  for (let key = 0; key < 50; key++) tallies.count({ ...call, agentKeyId: `key_${key}` });
  await tallies.write();
  expect(store.calls('all', '')).toBe(50);
  expect(store.added.filter(({ dimension, step }) => dimension === 'key' && step === 60)).toHaveLength(10);
});
