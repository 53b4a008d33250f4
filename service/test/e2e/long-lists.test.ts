/** Lists of actions by name: sent once, changed by difference, and never half a list. docs/protocol.md section 6, "Long lists". */
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

type Answer = { result?: { accepted: string[]; rejected: { action: string }[] }; error?: { message: string; data: { code: string } } };

const named = (...names: string[]) => names.map((action) => ({ action, actionDescription: `Does ${action} with orders` }));

async function openToolkit(service: TestService, key?: string): Promise<RawToolkit> {
  return key === undefined ? RawToolkit.connect(service) : RawToolkit.connect(service, key);
}

async function send(toolkit: RawToolkit, actions: unknown[]): Promise<Answer> {
  return (await toolkit.request('actions', { actions })) as Answer;
}

async function registerList(toolkit: RawToolkit, list: object, more: object = {}): Promise<Answer> {
  return (await toolkit.register(undefined, { list, ...more })) as Answer;
}

test('a list is assembled from its parts, and its name is enough from then on', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const first = await openToolkit(service, key);
  const list = { id: 'v1', size: 3 };
  expect((await registerList(first, list)).error).toMatchObject({ data: { code: 'LIST_NOT_FOUND' } });
  await send(first, named('a', 'b'));
  await send(first, named('c'));
  expect((await registerList(first, list)).result?.accepted).toEqual(['raw__a', 'raw__b', 'raw__c']);
  const replica = await openToolkit(service, key);
  expect((await registerList(replica, list, { instance: randomUUID() })).result?.accepted).toHaveLength(3);
});

test('the deadline of a registration ends with it, also after parts that arrived together', async () => {
  const service = await startService({ limits: { handshakeTimeoutMs: 1_500 } });
  const raw = await openToolkit(service);
  await Promise.all([send(raw, named('a')), send(raw, named('b')), send(raw, named('c'))]);
  await registerList(raw, { id: 'v1', size: 3 });
  const silent = await openToolkit(service);
  await vi.waitFor(() => expect(silent.closed?.code).toBe(4408));
  expect(raw.closed).toBeUndefined();
});

test('a list is made of an earlier one and its changes', async () => {
  const service = await startService();
  const raw = await openToolkit(service);
  await send(raw, [...named('a', 'b', 'c'), { action: 'broken' }]);
  const before = await registerList(raw, { id: 'v1', size: 4 });
  expect(before.result).toMatchObject({ accepted: ['raw__a', 'raw__b', 'raw__c'], rejected: [{ action: 'broken' }] });
  await send(raw, [...named('d', 'broken'), { action: 'a', actionDescription: 'Does something else' }]);
  const after = await registerList(raw, { id: 'v2', size: 4, base: 'v1', remove: ['c'] });
  expect(after.result?.rejected).toEqual([]);
  expect(after.result?.accepted.toSorted()).toEqual(['raw__a', 'raw__b', 'raw__broken', 'raw__d']);
  const { actions } = (await (await service.request('/v1/actions')).json()) as { actions: { action: string; description: string }[] };
  expect(actions.find(({ action }) => action === 'raw__a')?.description).toBe('Does something else');
});

test.each([
  ['a part is missing', { id: 'v1', size: 3 }],
  ['its base is unknown', { id: 'v1', size: 2, base: 'v0' }],
  ['its base is another toolkit’s', { id: 'v1', size: 3, base: 'foreign' }],
])('half a list is never registered: %s', async (_, list) => {
  const service = await startService();
  const other = await RawToolkit.connect(service, (await service.keys.create({ kind: 'toolkit', name: 'other' })).key);
  await send(other, named('x'));
  await registerList(other, { id: 'foreign', size: 1 });
  const raw = await openToolkit(service);
  await send(raw, named('a', 'b'));
  expect((await registerList(raw, list)).error).toMatchObject({ data: { code: 'LIST_NOT_FOUND' } });
  // The parts are used up.
  expect((await registerList(raw, { id: 'v1', size: 2 })).error).toMatchObject({ data: { code: 'LIST_NOT_FOUND' } });
  expect(((await (await service.request('/v1/actions')).json()) as { actions: unknown[] }).actions).toHaveLength(1);
});

test('a registration has its actions or the name of a list', async () => {
  const raw = await openToolkit(await startService());
  const both = (await raw.register(named('a'), { list: { id: 'v1', size: 1 } })) as Answer;
  const neither = (await raw.register(undefined)) as Answer;
  expect([both, neither].map(({ error }) => error?.data.code)).toEqual(['INVALID_REQUEST', 'INVALID_REQUEST']);
});

test('parts count against the limits of the toolkit', async () => {
  const service = await startService({ limits: { actionsPerToolkit: 3, toolkitTextBytes: 2_000 } });
  const raw = await openToolkit(service);
  await send(raw, named('a', 'b'));
  expect((await send(raw, named('c', 'd'))).error?.message).toContain('4 actions are more than the 3');
  expect((await send(raw, [{ action: 'e', actionDescription: 'x'.repeat(2_000) }])).error?.message).toContain('toolkitTextBytes');
});

test('rejected actions of earlier parts count too', async () => {
  const service = await startService({ limits: { actionsPerToolkit: 3 } });
  const raw = await openToolkit(service);
  await send(raw, [{ action: 'broken' }, { action: 'worse' }]);
  expect((await send(raw, named('a', 'b'))).error?.message).toContain('4 actions are more than the 3');
});

test('a Toolkit with thousands of actions is served, and changes while it is', async () => {
  const service = await startService();
  const toolkit = await service.toolkit('large', (large) => {
    for (let n = 0; n < 3_000; n++) {
      const actionDescription = `Reads the orders of customer group ${n}, with what they contain and when they were sent`;
      large.action({ action: `order_${n}`, actionDescription }, () => n);
    }
  });
  expect((await toolkit.ready).accepted).toHaveLength(3_000);
  toolkit.removeAction('order_7');
  toolkit.action({ action: 'refund', actionDescription: 'Pays back the money of an order' }, () => 'paid');
  const tools = await service.tools();
  await vi.waitFor(async () => expect(await tools.invoke('large__refund')).toMatchObject({ result: 'paid' }));
  expect(await tools.invoke('large__order_8')).toMatchObject({ result: 8 });
  await expect(tools.invoke('large__order_7')).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
});
