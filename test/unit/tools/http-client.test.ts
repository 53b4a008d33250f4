import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { beforeEach, expect, test, vi } from 'vitest';
import { Tools } from '../../../src/index';
import { KEY, sendJson, sendPage, sendProblem, sendResult, wireServer } from './wire-server';

/** Retries without waiting. */
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => void vi.restoreAllMocks();
});

const idempotencyKeys = (requests: { headers: NodeJS.Dict<string | string[]> }[]) =>
  requests.map(({ headers }) => headers['idempotency-key']);

test('an invocation carries key, deadline, idempotency key and nothing in the URL', async () => {
  const service = await wireServer((response) => sendResult(response, { celsius: 21 }, { replayed: true }));
  const response = await service.tools().invoke('weather__get', { city: 'Rome' }, { timeoutMs: 5_000, idempotencyKey: 'order-17' });

  expect(response).toEqual({ invocationId: 'inv_1', result: { celsius: 21 }, replayed: true });
  expect(service.requests).toMatchObject([
    {
      method: 'POST',
      path: '/v1/invoke',
      headers: {
        authorization: `Bearer ${KEY}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'svc-timeout-ms': '5000',
        'idempotency-key': 'order-17',
      },
      body: { action: 'weather__get', payload: { city: 'Rome' } },
    },
  ]);
});

test('a search sends its options and returns the found actions', async () => {
  const answer = {
    actions: [{ action: 'weather__get', description: 'Weather', payloadSchema: { type: 'object' } }],
    offline: ['old__one'],
  };
  const service = await wireServer((response) => sendJson(response, answer));
  expect(await service.tools().search('weather', { limit: 3 })).toEqual(answer);
  expect(service.requests[0]).toMatchObject({ path: '/v1/search', body: { query: 'weather', limit: 3 } });
});

test('a problem of the service is thrown with all its details', async () => {
  const details = { issues: [{ path: '/city', message: 'must be a string', schema: { type: 'string' } }], received: ['city'] };
  const service = await wireServer((response) => sendProblem(response, 'INVALID_PAYLOAD', 'city does not fit', details));
  await expect(service.tools().invoke('weather__get', { city: 1 })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
    message: 'city does not fit',
    details,
  });
});

test.each([502, 503, 504])('promise 7: a gateway’s %i is retried with the same idempotency key', async (status) => {
  const service = await wireServer((response, _request, count) => (count < 3 ? sendPage(response, status) : sendResult(response, 'done')));
  expect(await service.tools().invoke('a__b')).toMatchObject({ result: 'done' });
  expect(service.requests).toHaveLength(3);
  expect(new Set(idempotencyKeys(service.requests)).size).toBe(1);
});

test('promise 7: a request whose connection breaks before or within the answer is retried with the same key', async () => {
  const service = await wireServer((response, _request, count) => {
    if (count === 1) response.socket?.destroy();
    if (count === 2)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"inv', () => response.destroy());
    if (count === 3) sendResult(response, 'done');
  });
  expect(await service.tools().invoke('a__b')).toMatchObject({ result: 'done' });
  expect(new Set(idempotencyKeys(service.requests)).size).toBe(1);
});

test('two invocations have two keys', async () => {
  const service = await wireServer((response) => sendResult(response, null));
  const tools = service.tools();
  await tools.invoke('a__b');
  await tools.invoke('a__b');
  expect(new Set(idempotencyKeys(service.requests)).size).toBe(2);
});

test('a rejection with Retry-After is retried after it, for searches too', async () => {
  const service = await wireServer((response, _request, count) =>
    count === 1 ? sendProblem(response, 'RATE_LIMITED', 'slowly', { retryAfterMs: 5 }) : sendJson(response, { actions: [] }),
  );
  expect(await service.tools().search('weather')).toEqual({ actions: [] });
  expect(service.requests).toHaveLength(2);
});

test.each(['ACTION_FAILED', 'OUTCOME_UNKNOWN', 'INVOCATION_TIMEOUT', 'TOOLKIT_OFFLINE', 'KEY_REVOKED'] as const)(
  'the service’s %s is the answer, also when its status is a gateway’s',
  async (code) => {
    const service = await wireServer((response) => sendProblem(response, code, 'so it is'));
    await expect(service.tools().invoke('a__b')).rejects.toMatchObject({ code, message: 'so it is' });
    expect(service.requests).toHaveLength(1);
  },
);

test('a request is not retried if a proxy requests a retry after the deadline', async () => {
  const service = await wireServer((response) => sendPage(response, 503, { 'retry-after': '30' }));
  await expect(service.tools({ timeoutMs: 5_000 }).search('x')).rejects.toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    retryAfterMs: 30_000,
  });
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['a page with status 200', 200, 'text/html', '<html>Sign in</html>'],
  ['a page with status 403', 403, 'text/html', '<html>Forbidden</html>'],
  ['another program’s JSON', 200, 'application/json', '{"hello":"world"}'],
  ['another program’s JSON error', 404, 'application/json', '{"code":"constructor"}'],
  ['broken JSON', 200, 'application/json', '{"invocationId":'],
  ['nothing', 204, 'text/plain', ''],
])('%s is named with the status, and is not requested again', async (_name, status, type, text) => {
  const service = await wireServer((response) => response.writeHead(status, { 'content-type': type }).end(text));
  await expect(service.tools().invoke('a__b')).rejects.toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    retryable: false,
    message: expect.stringContaining(`${service.baseUrl} answered ${status} (${type})`),
  });
  expect(service.requests).toHaveLength(1);
});

test('a redirect is not followed: the key is never sent elsewhere', async () => {
  const elsewhere = await wireServer((response) => sendResult(response, 'stolen'));
  const service = await wireServer((response) => response.writeHead(307, { location: `${elsewhere.baseUrl}/v1/invoke` }).end());
  await expect(service.tools().invoke('a__b')).rejects.toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    message: expect.stringContaining('redirects'),
  });
  expect(elsewhere.requests).toEqual([]);
  expect(service.requests).toHaveLength(1);
});

test('the error for an unused address names the address and how to start a service, after three tries', async () => {
  const port = await freePort();
  const fetches = vi.fn(fetch);
  const error = await new Tools({ apiKey: KEY, baseUrl: `http://127.0.0.1:${port}`, fetch: fetches })
    .search('x')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'SERVICE_UNREACHABLE',
    retryable: true,
    message: expect.stringContaining(`http://127.0.0.1:${port}`),
  });
  expect(error).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED.*npx svc-service serve/) });
  expect(fetches).toHaveBeenCalledTimes(3);
});

test('the key is in no error message, even when a fetch puts it there', async () => {
  const leaky = (_url: string, init: { headers: Record<string, string> }) =>
    Promise.reject(new Error(`bad header ${init.headers.authorization}`));
  const error = await new Tools({ apiKey: KEY, fetch: leaky }).search('x').catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('bad header Bearer svc_agent_…');
  expect(inspect(error)).not.toContain(KEY);
});

test('promise 6, a deadline: the service gets the deadline, and without an answer the request ends a little later', async () => {
  const service = await wireServer(() => undefined);
  const startedAt = performance.now();
  await expect(service.tools({ timeoutMs: 50 }).invoke('a__b')).rejects.toMatchObject({
    code: 'INVOCATION_TIMEOUT',
    message: expect.stringContaining('50 ms'),
  });
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  expect(service.requests).toHaveLength(1);
});

test('promise 6, a cancel: an abort closes the request and rejects with the caller’s reason', async () => {
  const controller = new AbortController();
  let closed: Promise<unknown> | undefined;
  const service = await wireServer((response) => {
    closed = once(response, 'close');
    controller.abort(new Error('the user left'));
  });
  await expect(service.tools().invoke('a__b', {}, { signal: controller.signal })).rejects.toThrow('the user left');
  await closed;
  await expect(service.tools().invoke('a__b', {}, { signal: controller.signal })).rejects.toThrow('the user left');
  expect(service.requests).toHaveLength(1);
});

test('a payload that JSON cannot hold is refused before anything is sent', async () => {
  const service = await wireServer((response) => sendResult(response, null));
  await expect(service.tools().invoke('a__b', { id: 1n })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('BigInt'),
  });
  await expect(service.tools().invoke('a__b', {}, { idempotencyKey: 'two words' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(service.tools().invoke('a__b', {}, { timeoutMs: -1 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(service.requests).toEqual([]);
});

test('progress is reported before the result', async () => {
  const service = await wireServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('event: progress\ndata: {"progress":1,"total":2}\n\nevent: progress\ndata: {"progress":2,"message":"öl"}\n\n: ping\n\n');
    response.end('event: result\r\ndata: {"invocationId":"inv_1","result":[1]}\r\n\r\n');
  });
  const seen: unknown[] = [];
  expect(await service.tools().invoke('a__b', {}, { onProgress: (progress) => seen.push(progress) })).toMatchObject({ result: [1] });
  expect(seen).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, message: 'öl' },
  ]);
  expect(service.requests[0]?.headers.accept).toBe('text/event-stream');
});

test('a stream can end in an error, and an error answer can replace a stream', async () => {
  const service = await wireServer((response, _request, count) => {
    if (count === 1) return sendProblem(response, 'ACTION_NOT_FOUND', 'no a__b', { didYouMean: ['a__c'] });
    const problem = { code: 'ACTION_FAILED', detail: 'broken', cause: { code: 'E', message: 'm' } };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: error\ndata: ${JSON.stringify(problem)}\n\n`);
  });
  const options = { onProgress: () => undefined };
  await expect(service.tools().invoke('a__b', {}, options)).rejects.toMatchObject({
    code: 'ACTION_NOT_FOUND',
    details: { didYouMean: ['a__c'] },
  });
  await expect(service.tools().invoke('a__b', {}, options)).rejects.toMatchObject({
    code: 'ACTION_FAILED',
    details: { cause: { code: 'E' } },
  });
});

test('promise 7: a call whose stream ends or breaks before its result is retried with the same key', async () => {
  const service = await wireServer((response, _request, count) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (count === 1) response.end('event: progress\ndata: {"progress":1}\n\n');
    if (count === 2) response.write('event: progress\ndata: {"progress":1}\n\nevent: res', () => response.destroy());
    if (count === 3) response.end('event: result\ndata: {"invocationId":"inv_1","result":"done"}\n\n');
  });
  expect(await service.tools().invoke('a__b', {}, { onProgress: () => undefined })).toMatchObject({ result: 'done' });
  expect(new Set(idempotencyKeys(service.requests)).size).toBe(1);
});

test('an error of a progress listener is the caller’s own error and is not retried', async () => {
  const gone = Promise.withResolvers<void>();
  const service = await wireServer((response) => {
    response.once('close', () => gone.resolve());
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: progress\ndata: {"progress":1}\n\n');
  });
  const onProgress = () => {
    throw new Error('in the listener');
  };
  await expect(service.tools().invoke('a__b', {}, { onProgress })).rejects.toThrow('in the listener');
  // An abandoned call does not hold the connection.
  await gone.promise;
  expect(service.requests).toHaveLength(1);
});

test('a fetch that ignores its signal delays neither a deadline nor a cancel', async () => {
  const tools = new Tools({ apiKey: KEY, fetch: () => new Promise(() => {}) });
  await expect(tools.invoke('a__b', {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  const cancel = new AbortController();
  const cancelled = tools.invoke('a__b', {}, { signal: cancel.signal });
  cancel.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
});

test.each([
  ['application/json', 'within the answer'],
  ['text/event-stream', 'before the result'],
])('a fetch that fails while its %s is read, with the whole request in its error: the key is nowhere in ours', async (type, reason) => {
  const fetch = async (_url: string, request: object) => {
    const broken = () => Promise.reject(Object.assign(new Error('broken'), { request }));
    const body = { cancel: broken, getReader: () => ({ read: broken, cancel: broken }) };
    return { status: 200, headers: { get: () => type }, body, text: broken };
  };
  const tools = new Tools({ apiKey: KEY, fetch });
  const error = await tools.invoke('a__b').catch((caught: unknown) => caught);
  expect(String(error)).toContain(reason);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
