import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';

const post = (service: TestService, path: string, body: string, headers: Record<string, string> = {}) =>
  service.request(path, { method: 'POST', body, headers });

async function problem(response: Response): Promise<{ code: string; detail: string; status: number }> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = await response.text();
  // No stack, no path of this machine.
  expect(body).not.toMatch(/node_modules|\.ts:|\.js:|at \w+ \(/);
  return JSON.parse(body);
}

test.each(['/v1/search', '/v1/invoke'])(
  'POST %s answers what is not JSON, empty, or of a wrong type with a problem document',
  async (path) => {
    const service = await startService();
    for (const body of [
      '',
      '{',
      '[',
      'null',
      '[]',
      '1',
      '"x"',
      '{"query": 5}',
      '{"action": 5}',
      '{}',
      '{"action": null}',
      '\u0000',
      '{"__proto__": {"action": "a__b"}}',
    ]) {
      const { code, status } = await problem(await post(service, path, body));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(['INVALID_REQUEST', 'INVALID_PAYLOAD', 'ACTION_NOT_FOUND']).toContain(code);
    }
  },
);

test('a body over the limit is rejected, declared or not, and the service continues', async () => {
  const service = await startService({ limits: { requestBodyBytes: 10_000, payloadBytes: 5_000 } });
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const call = (bytes: number) => JSON.stringify({ action: 'echo__echo', payload: { text: 'x'.repeat(bytes) } });
  for (const path of ['/v1/search', '/v1/invoke']) {
    expect(await problem(await post(service, path, call(20_000)))).toMatchObject({ code: 'REQUEST_TOO_LARGE', status: 413 });
  }
  const unannounced = (text: string) => ({ method: 'POST', body: new Blob([text]).stream(), duplex: 'half' }) as RequestInit;
  for (const path of ['/v1/search', '/v1/invoke']) {
    expect(await problem(await service.request(path, unannounced('x'.repeat(20_000))))).toMatchObject({ code: 'REQUEST_TOO_LARGE' });
  }
  expect((await service.request('/v1/search', unannounced('{"query": "echo"}'))).status).toBe(200);
  expect(await problem(await post(service, '/v1/invoke', call(6_000)))).toMatchObject({ code: 'REQUEST_TOO_LARGE' });
  expect((await post(service, '/v1/invoke', call(4_000))).status).toBe(200);
});

test.each(['DELETE', 'OPTIONS', 'PUT', 'PATCH', 'POST'])('a %s without a body is not a failure of the service', async (method) => {
  const service = await startService();
  for (const path of ['/healthz', '/v1/actions', '/v1/nowhere']) {
    expect(await problem(await service.request(path, { method }))).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('payloads that are null, arrays or texts have a defined answer', async () => {
  const service = await startService();
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const invoke = async (payload: unknown) => (await post(service, '/v1/invoke', JSON.stringify({ action: 'echo__echo', payload }))).json();
  expect(await invoke(null)).toMatchObject({ result: {} });
  expect(await invoke(undefined)).toMatchObject({ result: {} });
  expect(await invoke('{"a":1}')).toMatchObject({ result: { a: 1 }, repaired: [expect.any(String)] });
  expect(await invoke([1])).toMatchObject({ code: 'INVALID_PAYLOAD' });
  expect(await invoke('just words')).toMatchObject({ code: 'INVALID_PAYLOAD' });
  expect(await invoke(5)).toMatchObject({ code: 'INVALID_PAYLOAD' });
});

test.each([
  ['idempotency-key', 'x'.repeat(256)],
  ['idempotency-key', 'with space'],
  ['svc-timeout-ms', 'soon'],
  ['svc-timeout-ms', '-1'],
  ['svc-timeout-ms', '1.5'],
])('header %s: %s is refused', async (name, value) => {
  const service = await startService();
  const response = await post(service, '/v1/invoke', '{"action":"a__b"}', { [name]: value });
  expect(await problem(response)).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('keys that are missing, mistyped, unknown or of another kind are distinguished, and never repeated in the answer', async () => {
  const service = await startService();
  const agent = await service.keys.create({ kind: 'agent', name: 'a' });
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 't' });
  const other = await (await startService()).keys.create({ kind: 'agent', name: 'elsewhere' });
  const mistyped = agent.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
  const search = async (authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
    const answer = await problem(await fetch(`${service.url}/v1/search`, { method: 'POST', headers, body: '{"query":"x"}' }));
    if (authorization) expect(JSON.stringify(answer)).not.toContain(authorization.replace('Bearer ', ''));
    return answer.code;
  };
  expect(await search()).toBe('INVALID_KEY');
  expect(await search('Basic abc')).toBe('INVALID_KEY');
  expect(await search(`Bearer ${mistyped}`)).toBe('INVALID_KEY');
  expect(await search(`Bearer ${other.key}`)).toBe('INVALID_KEY');
  expect(await search(`Bearer ${toolkit.key}`)).toBe('WRONG_KEY_KIND');
  const keys = await fetch(`${service.url}/v1/keys`, { headers: { authorization: `Bearer ${agent.key}` } });
  expect(await problem(keys)).toMatchObject({ code: 'WRONG_KEY_KIND', detail: expect.stringContaining('admin') });
});

test('an allow list is a wall for search, catalogue and calls', async () => {
  const service = await startService();
  for (const name of ['open', 'closed']) {
    await service.toolkit(name, (toolkit) => {
      toolkit.action({ action: 'greet', actionDescription: `Greets (${name})` }, () => name);
      toolkit.action({ action: 'part', actionDescription: `Says good-bye (${name})` }, () => name);
    });
  }
  const tools = await service.tools({}, { allow: { toolkits: ['open'], actions: ['closed__part'] } });
  const found = await tools.search('greets says good-bye', { limit: 10 });
  expect(found.actions.map(({ action }) => action).sort()).toEqual(['closed__part', 'open__greet', 'open__part']);
  expect((await tools.invoke('closed__part')).result).toBe('closed');
  await expect(tools.invoke('closed__greet')).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  // A repaired slip is authorised as the repaired call.
  const [answer] = await tools.callTools([
    { id: 'x', type: 'function', function: { name: 'invoke_service', arguments: '{"payload":{"action":"closed__greet","payload":{}}}' } },
  ]);
  expect(answer?.content).toContain('ACTION_NOT_ALLOWED');
});

test('an unknown path or method is answered with a problem document', async () => {
  const service = await startService();
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['GET', '/v1/invoke'],
    ['PUT', '/v1/search'],
    ['POST', '/v1/invoke/x'],
    ['GET', '/../../etc/passwd'],
  ] as const) {
    expect(await problem(await service.request(path, { method }))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  }
});

test('a client that sends its request drop by drop is cut off', async () => {
  const service = await startService({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write('POST /v1/invoke HTTP/1.1\r\nhost: x\r\n'));
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toContain('408');
});

test('every posted body is answered with a problem document or a result, and the service survives', async () => {
  const service = await startService();
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'fuzz' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ action: fc.oneof(fc.constant('echo__echo'), fc.jsonValue()), payload: fc.jsonValue() }).map((body) => JSON.stringify(body)),
    fc
      .dictionary(fc.constantFrom('action', 'payload', '__proto__', 'constructor', 'query'), fc.jsonValue())
      .map((body) => JSON.stringify(body)),
  );
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('/v1/invoke', '/v1/search'), async (body, path) => {
      const response = await fetch(service.url + path, { method: 'POST', headers, body });
      expect([200, 400, 404, 413, 422]).toContain(response.status);
      if (!response.ok) await problem(response);
      else await response.json();
    }),
    { numRuns: 300 },
  );
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});
