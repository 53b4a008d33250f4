/** Calls that go on without their callers, at one node. */
import { expect, test, vi } from 'vitest';
import { runToolkit, startService } from '../../../test/support/service';
import { Films, LongCaller, longCaller } from '../support/long-calls';

async function setUp(options = {}) {
  const service = await startService(options);
  const films = new Films();
  const toolkit = await service.toolkit('films', films.define);
  return { service, films, toolkit, caller: await longCaller(service) };
}

test('the answer is a handle at once, and then the result of the one run, again and again', async () => {
  const { films, caller } = await setUp();
  const started = await caller.start('films__render', { name: 'one' });
  expect(started).toEqual({ status: 202, body: { invocationId: expect.stringMatching(/^inv_/), status: 'running' } });
  const handle = started.body.invocationId;
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  expect(await caller.follow(handle)).toEqual(started);
  const waiting = caller.follow(handle, 30);
  films.end('one');
  const result = { status: 200, body: { invocationId: handle, result: { film: 'one' } } };
  expect(await waiting).toEqual(result);
  expect(await caller.follow(handle)).toEqual(result);
  expect(films.runs.get('one')).toBe(1);
});

test('a retry gets the handle of the first call, also beside a call that waits; another payload is refused', async () => {
  const { films, caller } = await setUp();
  const key = { 'idempotency-key': 'film-1' };
  const handle = await caller.handle('films__render', { name: 'one' }, key);
  expect(await caller.handle('films__render', { name: 'one' }, key)).toBe(handle);
  expect(await caller.start('films__render', { name: 'two' }, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } });
  const waiting = caller.call('films__render', { name: 'one' }, key);
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  films.end('one');
  expect(await waiting).toMatchObject({ status: 200, body: { result: { film: 'one' } } });
  expect(await caller.start('films__render', { name: 'one' }, key)).toMatchObject({ status: 200, body: { result: { film: 'one' } } });
  expect(films.runs.get('one')).toBe(1);
});

test('the error of the call is the answer', async () => {
  const { caller } = await setUp();
  const handle = await caller.handle('films__fail');
  const failed = { status: 502, body: { code: 'ACTION_FAILED', detail: expect.stringContaining('no disk') } };
  expect(await caller.follow(handle, 30)).toMatchObject(failed);
  expect(await caller.follow(handle)).toMatchObject(failed);
});

test('the newest report of the handler is in the answer', async () => {
  const { films, caller } = await setUp();
  const handle = await caller.handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  films.report('one', 10);
  films.report('one', 40);
  await vi.waitFor(
    async () => expect(await caller.follow(handle)).toMatchObject({ status: 202, body: { progress: { progress: 40, total: 100 } } }),
    { timeout: 10_000 },
  );
});

test('a cancel reaches the handler, a waiting caller gets the error, and a second one changes nothing', async () => {
  const { films, caller } = await setUp();
  const handle = await caller.handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  const waiting = caller.follow(handle, 30);
  expect(await caller.cancel(handle)).toEqual({ status: 204, body: undefined });
  const cancelled = { status: 499, body: { code: 'INVOCATION_CANCELLED' } };
  expect(await waiting).toMatchObject(cancelled);
  await vi.waitFor(() => expect(films.aborted).toEqual(['one']));
  expect(await caller.cancel(handle)).toMatchObject({ status: 204 });
  expect(await caller.follow(handle)).toMatchObject(cancelled);
});

test('the deadline is its own, and its end reaches the handler', async () => {
  const { films, caller } = await setUp({ limits: { maxTimeoutMs: 1_000 } });
  const handle = await caller.handle('films__render', { name: 'one' }, { 'svc-timeout-ms': '300' });
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 504, body: { code: 'INVOCATION_TIMEOUT' } });
  await vi.waitFor(() => expect(films.aborted).toEqual(['one']));
});

test('a call waits for its toolkit, and runs when a process is there', async () => {
  const { service, films, toolkit, caller } = await setUp();
  await toolkit.stop();
  const handle = await caller.handle('films__render', { name: 'one' });
  expect(await caller.follow(handle)).toMatchObject({ status: 202 });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'films', toolkit: 'films' });
  await runToolkit(service.url, key, films.define);
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), { timeout: 10_000 });
  films.end('one');
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 200, body: { invocationId: handle } });
});

test('without an idempotency key nothing begins', async () => {
  const { films, caller } = await setUp();
  expect(await caller.call('films__render', { name: 'one' }, { prefer: 'respond-async' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST', detail: expect.stringContaining('Idempotency-Key') },
  });
  expect(films.runs.size).toBe(0);
});

test('a key has so many of them at a time, and they do not count as its requests', async () => {
  const { films, caller } = await setUp({ limits: { detachedPerKey: 2, invocationsPerKey: 1 } });
  const [one] = [await caller.handle('films__render', { name: 'one' }), await caller.handle('films__render', { name: 'two' })];
  expect(await caller.start('films__render', { name: 'three' })).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  await vi.waitFor(() => expect(films.runs.size).toBe(2));
  films.end('one');
  expect(await caller.follow(one!, 30)).toMatchObject({ status: 200 });
  expect(await caller.start('films__render', { name: 'three' })).toMatchObject({ status: 202 });
});

test('another key, and another user of the same key, find nothing; the app of the key finds all', async () => {
  const { service, films, caller } = await setUp();
  const { key: appKey } = await service.keys.create({ kind: 'agent', name: 'app' });
  const app = new LongCaller(service, appKey);
  const tokenOf = async (userId?: string) => {
    const headers = { authorization: `Bearer ${appKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/v1/tokens`, { method: 'POST', headers, body: JSON.stringify({ ttlSeconds: 60, userId }) });
    return new LongCaller(service, ((await answer.json()) as { token: string }).token);
  };
  const [ada, ben, nobody] = [await tokenOf('ada'), await tokenOf('ben'), await tokenOf()];
  const handle = await ada.handle('films__render', { name: 'one' });
  const unknown = { status: 404, body: { code: 'NOT_FOUND' } };
  for (const other of [caller, ben, nobody]) {
    expect(await other.follow(handle)).toMatchObject(unknown);
    expect(await other.cancel(handle)).toMatchObject(unknown);
  }
  for (const own of [ada, app]) expect(await own.follow(handle)).toMatchObject({ status: 202 });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  films.end('one');
  for (const own of [ada, app]) expect(await own.follow(handle, 30)).toMatchObject({ status: 200 });
  for (const other of [caller, ben, nobody]) {
    expect(await other.follow(handle)).toMatchObject(unknown);
    expect(await other.call('svc__read_result', { handle })).toMatchObject(unknown);
  }
  expect(await ada.call('svc__read_result', { handle })).toMatchObject({ status: 200, body: { result: { film: 'one' } } });
});

test('a revoked key ends its calls', async () => {
  const { service, films } = await setUp();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const caller = new LongCaller(service, key);
  await caller.handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  await service.keys.revoke(id);
  await vi.waitFor(() => expect(films.aborted).toEqual(['one']));
});

test('a model reads on with the tool that reads results', async () => {
  const { films, caller } = await setUp();
  const handle = await caller.handle('films__render', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  expect(await caller.call('svc__read_result', { handle })).toMatchObject({
    status: 200,
    body: {
      result: {
        status: 'running',
        handle,
        message: expect.stringContaining(`{"action":"svc__read_result","payload":{"handle":"${handle}","wait":30}}`),
      },
    },
  });
  const waiting = caller.call('svc__read_result', { handle, wait: 30 });
  films.end('one');
  expect(await waiting).toMatchObject({ status: 200, body: { result: { film: 'one' } } });
  expect(await caller.call('svc__read_result', { handle, offset: 0 })).toMatchObject({
    body: { result: expect.stringContaining('{"film":"one"}\n[Characters 0 to 14 of 14. This is the end.]') },
  });
});

test('a long result is cut as in the answer to a call, and its handle reads on', async () => {
  const { service, caller } = await setUp();
  await service.toolkit('texts', (it) => it.action({ action: 'long', actionDescription: 'Long' }, () => 'a'.repeat(3_000)));
  const handle = await caller.handle('texts__long');
  const { body } = await caller.follow(handle, 30, { 'svc-max-result-chars': '1000' });
  expect(body.result).toMatch(/^a{700}\n\[Characters 0 to 700 of 3000\. Read on: invoke_service /);
  const part = await caller.call('svc__read_result', { handle, offset: 2_900 });
  expect(part.body.result).toMatch(/^a{100}\n\[Characters 2900 to 3000/);
});
