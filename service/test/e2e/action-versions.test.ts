/** A call runs only the version of its action that the caller decided about, even if a toolkit registers another. */
import { expect, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService, toolCall } from '../../../test/support/service';

const ERASE = { action: 'erase', actionDescription: 'Erases a list', payloadDescription: { list: { type: 'string', required: true } } };
const DESTRUCTIVE = { ...ERASE, annotations: { destructive: true } };
const ID = 'raw__erase';
const LIST = { list: 'a' };
const CHANGED = { code: 'ACTION_CHANGED', retryable: false };

async function stage(...actions: object[]) {
  const service = await startService({ metrics: true });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const connect = () => RawToolkit.connect(service, key);
  const toolkit = await connect();
  if (actions.length > 0) await toolkit.register(actions);
  const tools = await service.tools({}, { budget: { perCall: '1', perDay: '10' } });
  const version = async () => (await tools.resolve(ID, LIST)).version as string;
  return { service, toolkit, tools, version, connect };
}

const runs = ({ received }: RawToolkit) => received.filter(({ method }) => method === 'invoke').length;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ran',
    (error) => error.code,
  );

async function queued(service: TestService): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^svc_calls_queued (\d+)/m.exec(text)?.[1]);
}

async function answer(toolkit: RawToolkit, index: number, result: unknown): Promise<void> {
  const { id } = await toolkit.invoked(index);
  toolkit.send({ jsonrpc: '2.0', id, result });
}

test('a version changes with annotations, price and payload, and not with texts', async () => {
  const { toolkit, version } = await stage(ERASE);
  const first = await version();
  expect(first).toMatch(/^[A-Za-z0-9_-]{22}$/);
  const texts = { list: { type: 'string', required: true, description: 'Name of the list', title: 'List' } };
  await toolkit.register([{ ...ERASE, actionDescription: 'Erases a whole list', payloadDescription: texts }]);
  expect(await version()).toBe(first);
  const others = [
    DESTRUCTIVE,
    { ...ERASE, payment: { amount: '0.10' } },
    { ...ERASE, payment: { amount: '0.20' } },
    { ...ERASE, payloadDescription: { list: { type: 'string', required: true }, title: { type: 'string' } } },
  ];
  const versions = new Set([first]);
  for (const action of others) {
    await toolkit.register([action]);
    versions.add(await version());
  }
  expect(versions.size).toBe(others.length + 1);
  await toolkit.register([ERASE]);
  expect(await version()).toBe(first);
});

test.each([
  ['is declared destructive', DESTRUCTIVE],
  ['gets a price', { ...ERASE, payment: { amount: '0.10' } }],
  ['takes another payload', { ...ERASE, payloadDescription: { list: { type: 'string' }, force: { type: 'boolean' } } }],
])('a call that was decided about before its action %s does not run, and its key stays free', async (_what, action) => {
  const { toolkit, tools, version } = await stage(ERASE);
  const decided = await version();
  await toolkit.register([action]);
  const options = { actionVersion: decided, idempotencyKey: 'once' };
  await expect(tools.invoke(ID, LIST, options)).rejects.toMatchObject(CHANGED);
  expect(runs(toolkit)).toBe(0);
  const again = tools.invoke(ID, LIST, { ...options, actionVersion: await version() });
  await answer(toolkit, 0, 'erased');
  expect(await again).toMatchObject({ result: 'erased' });
});

test('a call after a refused resolve does not run, and gets the plain errors', async () => {
  const { toolkit, tools } = await stage();
  const call = (payload: object) => codeOf(tools.invoke(ID, payload, { actionVersion: 'none' }));
  expect(await codeOf(tools.resolve(ID, LIST))).toBe('ACTION_NOT_FOUND');
  expect(await call(LIST)).toBe('ACTION_NOT_FOUND');
  await toolkit.register([DESTRUCTIVE]);
  expect(await call({ lists: 'a' })).toBe('INVALID_PAYLOAD');
  expect(await call(LIST)).toBe('ACTION_CHANGED');
  expect(runs(toolkit)).toBe(0);
});

test('a retry gets the stored outcome of the first call, for any version it names', async () => {
  const { toolkit, tools } = await stage(ERASE);
  const first = tools.invoke(ID, LIST, { idempotencyKey: 'kept' });
  await answer(toolkit, 0, 'erased');
  await first;
  await toolkit.register([DESTRUCTIVE]);
  for (const actionVersion of ['none', 'another'])
    expect(await tools.invoke(ID, LIST, { idempotencyKey: 'kept', actionVersion })).toMatchObject({ result: 'erased', replayed: true });
  expect(runs(toolkit)).toBe(1);
});

test('a retry with another version joins the first call while that runs', async () => {
  const { toolkit, tools } = await stage(ERASE);
  const first = tools.invoke(ID, LIST, { idempotencyKey: 'joined' });
  await toolkit.invoked();
  await toolkit.register([DESTRUCTIVE]);
  const retry = tools.invoke(ID, LIST, { idempotencyKey: 'joined', actionVersion: 'none' });
  await answer(toolkit, 0, 'erased');
  expect(await Promise.all([first, retry])).toMatchObject([{ result: 'erased' }, { result: 'erased', replayed: true }]);
});

test('a call in the queue is refused as soon as its action changes, and one without a version is not', async () => {
  const { toolkit, tools, version, service } = await stage();
  await toolkit.register([ERASE], { concurrency: 1 });
  const first = tools.invoke(ID, LIST);
  await toolkit.invoked();
  const actionVersion = await version();
  const waiting = codeOf(tools.invoke(ID, LIST, { actionVersion }));
  const plain = tools.invoke(ID, LIST);
  await vi.waitFor(async () => expect(await queued(service)).toBe(2));
  await toolkit.register([DESTRUCTIVE], { concurrency: 1 });
  expect(await waiting).toBe('ACTION_CHANGED');
  await answer(toolkit, 0, 1);
  await answer(toolkit, 1, 2);
  expect([(await first).result, (await plain).result]).toEqual([1, 2]);
});

test('a call in the queue whose caller asks about destructive actions is refused as soon as its action is one', async () => {
  const { service, toolkit, tools } = await stage();
  await toolkit.register([ERASE], { concurrency: 1 });
  const first = tools.invoke(ID, LIST);
  await toolkit.invoked();
  const waiting = tools.answerTool('invoke_service', { action: ID, payload: LIST }, { ask: { destructive: true } });
  await vi.waitFor(async () => expect(await queued(service)).toBe(1));
  await toolkit.register([DESTRUCTIVE], { concurrency: 1 });
  expect((await waiting).error?.code).toBe('ACTION_CHANGED');
  await answer(toolkit, 0, 'erased');
  await first;
  expect(runs(toolkit)).toBe(1);
});

test('an approval does not cover another version of the action: nothing runs, and there is no question about it', async () => {
  const { toolkit, tools, version } = await stage(DESTRUCTIVE);
  const actionVersion = await version();
  await toolkit.register([{ ...DESTRUCTIVE, payment: { amount: '0.10' } }]);
  const options = { ask: { destructive: true }, actionVersion, isApproved: () => true };
  const { error } = await tools.answerTool('invoke_service', { action: ID, payload: LIST }, options);
  expect([error?.code, runs(toolkit)]).toEqual(['ACTION_CHANGED', 0]);
});

test('with two processes of different versions of an action, the one with the decided version gets the call', async () => {
  const { toolkit, tools, version, connect } = await stage(ERASE);
  const newer = await connect();
  await newer.register([DESTRUCTIVE], { instance: 'newer-instance' });
  const actionVersion = await version();
  for (let call = 0; call < 3; call++) {
    const done = tools.invoke(ID, LIST, { actionVersion });
    await answer(newer, call, call);
    expect(await done).toMatchObject({ result: call });
  }
  expect(runs(toolkit)).toBe(0);
  await newer.close();
  await expect(tools.invoke(ID, LIST, { actionVersion })).rejects.toMatchObject(CHANGED);
  expect(runs(toolkit)).toBe(0);
});

test('after a process with a newer version disconnects, the version of the other process is listed and runs', async () => {
  const { toolkit, tools, version, connect } = await stage(ERASE);
  const older = await version();
  const newer = await connect();
  await newer.register([DESTRUCTIVE], { instance: 'newer-instance' });
  expect(await version()).not.toBe(older);
  await newer.close();
  await vi.waitFor(async () => expect(await version()).toBe(older));
  const done = tools.invoke(ID, LIST, { actionVersion: older });
  await answer(toolkit, 0, 'erased');
  expect(await done).toMatchObject({ result: 'erased' });
});

test('a call that did not reach its process is not sent again to another version of its action', async () => {
  const { toolkit, tools, version, connect } = await stage(ERASE);
  const refused = codeOf(tools.invoke(ID, LIST, { actionVersion: await version() }));
  await toolkit.invoked();
  toolkit.reset();
  const again = await connect();
  // The instance lists no unfinished call, so the frame was lost.
  await again.register([DESTRUCTIVE]);
  expect(await refused).toBe('ACTION_CHANGED');
  expect(runs(again)).toBe(0);
});

test('the error to the model requires a new decision, and `callTools` passes no version', async () => {
  const { toolkit, tools, version } = await stage(ERASE);
  const actionVersion = await version();
  await toolkit.register([DESTRUCTIVE]);
  const { content } = await tools.answerTool('invoke_service', { action: ID, payload: LIST }, { actionVersion });
  expect(JSON.parse(content)).toMatchObject({ error: { code: 'ACTION_CHANGED', message: expect.stringContaining('decide again') } });
  const answers = tools.callTools([toolCall('invoke_service', { action: ID, payload: LIST })]);
  await answer(toolkit, 0, 'erased');
  expect(await answers).toMatchObject([{ content: 'erased' }]);
});

test('a header that is not a version is refused', async () => {
  const { service, tools } = await stage(ERASE);
  const body = JSON.stringify({ action: ID, payload: LIST });
  const answered = await service.request('/v1/invoke', { method: 'POST', body, headers: { 'svc-action-version': 'a b' } });
  expect([answered.status, await answered.json()]).toMatchObject([400, { code: 'INVALID_REQUEST' }]);
  await expect(tools.invoke(ID, LIST, { actionVersion: 'a\nb' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the header holds for the calls of a message at /mcp', async () => {
  const { service, toolkit } = await stage(DESTRUCTIVE);
  const params = { name: 'invoke_service', arguments: { action: ID, payload: LIST } };
  const answered = await service.request('/mcp', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: { accept: 'application/json, text/event-stream', 'svc-action-version': 'none' },
  });
  expect(await answered.text()).toContain('ACTION_CHANGED');
  expect(runs(toolkit)).toBe(0);
});
