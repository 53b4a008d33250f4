import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonSchema } from '#sdk/protocol/http';
import { ResultMisfits } from '../../../src/catalog/results/result-misfits';
import { openSqliteStore } from '../../../src/store/sqlite/open';
import type { ActionRecord, Store } from '../../../src/store/store';

const ID = 'shop__get';
const SHAPE = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const DAY_MS = 24 * 60 * 60 * 1000;

function record(resultSchema?: JsonSchema): ActionRecord {
  const payloadSchema = { type: 'object' };
  return { toolkitId: 'shop', name: 'get', description: 'Gets', payloadSchema, annotations: {}, ...(resultSchema && { resultSchema }) };
}

async function newStore(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return store;
}

function node(store: Pick<Store, 'misfits'>, action: ActionRecord, now = Date.now) {
  const actions = new Map([[ID, action]]);
  const changed: string[] = [];
  const misfits = new ResultMisfits({ store: store.misfits, action: (id) => actions.get(id), onChange: (id) => changed.push(id), now });
  const of = () => misfits.of(ID, actions.get(ID) as ActionRecord);
  return { misfits, actions, changed, of };
}

test('a misfit is counted after the turn of the call, by place, without the value', async () => {
  const { misfits, of, changed } = node(await newStore(), record(SHAPE));
  misfits.resultReceived(ID, '{"id":"secret"}');
  expect(of()).toEqual([]);
  await turn();
  misfits.resultReceived(ID, '{"id":1}');
  misfits.resultReceived(ID, '"text"');
  misfits.resultReceived(ID, '"text"');
  await turn();
  expect(of()).toEqual([
    { path: '', results: 2 },
    { path: '/id', results: 1 },
  ]);
  expect(changed).toEqual([ID, ID, ID]);
});

test('the first twenty results are checked, then one of fifty', async () => {
  const { misfits, of } = node(await newStore(), record(SHAPE));
  for (let call = 0; call < 250; call++) {
    misfits.resultReceived(ID, '1');
    await turn();
  }
  // The 51st, 101st, 151st and 201st.
  expect(of()).toEqual([{ path: '', results: 24 }]);
});

test('an action without a declared result, an unknown one and a very long result are not parsed', async () => {
  const { misfits, of } = node(await newStore(), record());
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  misfits.resultReceived(ID, '1');
  misfits.resultReceived('shop__other', '1');
  await turn();
  expect(of()).toEqual([]);
  const long = node(await newStore(), record(SHAPE));
  long.misfits.resultReceived(ID, JSON.stringify('x'.repeat(300_000)));
  await turn();
  expect(long.of()).toEqual([]);
  expect(parse).not.toHaveBeenCalled();
});

test('places of one action are bounded', async () => {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: 'integer' }]));
  const { misfits, of } = node(await newStore(), record({ type: 'object', properties }));
  for (const name of Object.keys(properties).slice(0, 20)) misfits.resultReceived(ID, JSON.stringify({ [name]: 'x' }));
  await turn();
  expect(of()).toHaveLength(20);
  const again = node(await newStore(), record({ type: 'object', properties }));
  for (let start = 0; start < 20; start++) {
    const names = Object.keys(properties).slice(2 * start, 2 * start + 2);
    again.misfits.resultReceived(ID, JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))));
  }
  await turn();
  expect(again.of()).toHaveLength(20);
});

test('nodes on one store know the misfits of each other, and a later node those of before', async () => {
  const store = await newStore();
  const [one, other] = [node(store, record(SHAPE)), node(store, record(SHAPE))];
  one.misfits.resultReceived(ID, '1');
  other.misfits.resultReceived(ID, '2');
  other.misfits.resultReceived(ID, '3');
  await turn();
  for (const { misfits } of [one, other, one]) await misfits.synchronise();
  expect([one.of(), other.of()]).toEqual(Array(2).fill([{ path: '', results: 3 }]));
  expect(one.changed).toEqual([ID, ID]);
  const later = node(store, record(SHAPE));
  await later.misfits.synchronise();
  expect(later.of()).toEqual([{ path: '', results: 3 }]);
});

test('another version of the action, or of its declared result, starts without misfits, and those before are removed', async () => {
  const store = await newStore();
  const { misfits, actions, of } = node(store, record(SHAPE));
  misfits.resultReceived(ID, '1');
  await turn();
  await misfits.synchronise();
  expect(await store.misfits.since(0)).toHaveLength(1);
  actions.set(ID, record(SHAPE));
  misfits.actionChanged(ID);
  expect(of()).toHaveLength(1);
  actions.set(ID, record({ type: 'integer' }));
  misfits.actionChanged(ID);
  expect(of()).toEqual([]);
  await misfits.synchronise();
  expect(await store.misfits.since(0)).toEqual([]);
});

test('a store that fails loses no count, and a misfit of more than a week ago does not count', async () => {
  const store = await newStore();
  let now = Date.now();
  const { misfits, of } = node(store, record(SHAPE), () => now);
  misfits.resultReceived(ID, '1');
  await turn();
  const add = vi.spyOn(store.misfits, 'add').mockRejectedValueOnce(new Error('away'));
  await expect(misfits.synchronise()).rejects.toThrow('away');
  misfits.resultReceived(ID, '1');
  await turn();
  await misfits.synchronise();
  expect(add).toHaveBeenCalledTimes(2);
  expect(await store.misfits.since(0)).toMatchObject([{ results: 2 }]);
  now += 8 * DAY_MS;
  expect(of()).toEqual([]);
  await misfits.prune();
  expect(await store.misfits.since(0)).toEqual([]);
});
