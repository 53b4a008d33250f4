import { once } from 'node:events';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const action = (name: unknown, more: object = {}) => ({ action: name, actionDescription: 'Does something', ...more });

test('every request gets its answer, also before register and for unknown methods', async () => {
  const raw = await RawToolkit.connect(await startService());
  expect(await raw.request('heartbeat')).toMatchObject({ error: { code: -32602 } });
  await raw.register([action('one')]);
  expect(await raw.request('heartbeat')).toMatchObject({ result: {} });
  expect(await raw.request('dance')).toMatchObject({ error: { code: -32601 } });
  expect(await raw.request('result', { invocationId: 'inv_unknown', result: 1 })).toMatchObject({ result: { accepted: false } });
  expect(await raw.request('register', { protocol: 1 })).toMatchObject({ error: { code: -32602 } });
  expect(await raw.register([], { protocol: 2 })).toMatchObject({ error: { message: expect.stringContaining('protocol version 1') } });
});

test('invalid frames are answered, and the third closes the socket', async () => {
  const raw = await RawToolkit.connect(await startService());
  raw.send('{');
  raw.send(Buffer.from('{}'));
  raw.send('[]');
  await vi.waitFor(() => expect(raw.closed?.code).toBe(4400));
  expect(raw.received.map((frame) => (frame.error as { code: number }).code)).toEqual([-32700, -32600, -32600]);
});

test('a frame over the limit closes that socket and no other', async () => {
  const service = await startService({ limits: { frameBytes: 10_000 } });
  const raw = await RawToolkit.connect(service);
  raw.send(`"${'x'.repeat(20_000)}"`);
  await vi.waitFor(() => expect(raw.closed?.code).toBe(1009));
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test('a socket that does not register, or falls silent, is closed', async () => {
  const service = await startService({ limits: { handshakeTimeoutMs: 100, heartbeatMs: 100 } });
  const mute = await RawToolkit.connect(service);
  await vi.waitFor(() => expect(mute.closed?.code).toBe(4408));
  const silent = await RawToolkit.connect(service);
  await silent.register([]);
  await vi.waitFor(() => expect(silent.closed?.code).toBe(4410));
});

test('an answer to an unknown invocation, a second answer, and late progress have no effect', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action('ask')]);
  raw.send({ jsonrpc: '2.0', id: 'inv_nobody', result: 1 });
  raw.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: 'inv_nobody', progress: 1 } });
  raw.send({ jsonrpc: '2.0', method: 'progress', params: 'nonsense' });
  const tools = await service.tools();
  const call = tools.invoke('raw__ask');
  const invoke = await vi.waitFor(() => raw.received.find((frame) => frame.method === 'invoke') ?? expect.fail('no invoke'));
  raw.send({ jsonrpc: '2.0', id: invoke.id, result: 'first' });
  raw.send({ jsonrpc: '2.0', id: invoke.id, result: 'second' });
  expect((await call).result).toBe('first');
});

test('an answer to the call of another toolkit, or of another replica, has no effect', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const asked = await RawToolkit.connect(service, key);
  await asked.register([action('ask')]);
  const call = (await service.tools()).invoke('raw__ask');
  const { id } = await asked.invoked();
  const replica = await RawToolkit.connect(service, key);
  await replica.register([action('ask')], { instance: 'raw-instance-2' });
  const stranger = await RawToolkit.connect(service, (await service.keys.create({ kind: 'toolkit', name: 'stranger' })).key);
  await stranger.register([action('ask')], { unfinished: [id] });
  for (const other of [replica, stranger]) {
    other.send({ jsonrpc: '2.0', id, result: 'forged' });
    expect(await other.request('result', { invocationId: id, result: 'forged' })).toMatchObject({ result: { accepted: false } });
  }
  asked.send({ jsonrpc: '2.0', id, result: 'true' });
  expect((await call).result).toBe('true');
  expect(await asked.request('result', { invocationId: id, result: 'again' })).toMatchObject({ result: { accepted: false } });
});

test('a silent toolkit delays its own callers for a limited time, and is notified when no caller waits any more', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action('ask'), action('tell')]);
  const tools = await service.tools();
  await expect(tools.invoke('raw__ask', {}, { timeoutMs: 200 })).rejects.toMatchObject({
    code: 'INVOCATION_TIMEOUT',
    message: expect.stringContaining('may still have run'),
  });
  const { id } = await raw.invoked();
  await vi.waitFor(() =>
    expect(raw.received).toContainEqual({ jsonrpc: '2.0', method: 'cancel', params: { invocationId: id, reason: 'timeout' } }),
  );
  const next = tools.invoke('raw__tell');
  raw.send({ jsonrpc: '2.0', id: (await raw.invoked(1)).id, result: 'still here' });
  expect((await next).result).toBe('still here');
});

test('an answer of 200 MB is cut off when it passes the limit: its caller gets an unknown outcome, the others are not affected', async () => {
  const service = await startService({ limits: { reconnectGraceMs: 100 } });
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const raw = await RawToolkit.connect(service);
  await raw.register([action('ask')]);
  const tools = await service.tools();
  const unknown = expect(tools.invoke('raw__ask')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  const { id } = await raw.invoked();
  const megabyte = 'x'.repeat(1024 * 1024);
  const parts = [`{"jsonrpc":"2.0","id":"${id}","result":"`, ...Array.from({ length: 200 }, () => megabyte), '"}'];
  const sent = await raw.sendFragments(parts);
  // The limit is 8 MB; some more lie in the buffers of the machine.
  expect(sent).toBeLessThan(100);
  await unknown;
  expect(raw.closed?.code).toBe(1009);
  expect((await tools.invoke('echo__echo', { still: 'here' })).result).toEqual({ still: 'here' });
});

test('a toolkit of the SDK reports a result that is too large, and keeps its connection', async () => {
  const service = await startService();
  let tell = (_result: string) => {};
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  await service.toolkit('big', (toolkit) => {
    toolkit.action({ action: 'result', actionDescription: 'Too much' }, () => 'x'.repeat(20 * 1024 * 1024));
    toolkit.action({ action: 'error', actionDescription: 'Too much' }, (ctx) =>
      ctx.error('FULL', 'The disk is full', { data: 'x'.repeat(20 * 1024 * 1024) }),
    );
    toolkit.action({ action: 'slow', actionDescription: 'Goes on meanwhile' }, () => told);
  });
  const tools = await service.tools();
  const slow = tools.invoke('big__slow');
  await expect(tools.invoke('big__result')).rejects.toMatchObject({ details: { cause: { code: 'RESULT_TOO_LARGE' } } });
  await expect(tools.invoke('big__error')).rejects.toMatchObject({ details: { cause: { message: 'The disk is full' } } });
  tell('on');
  expect((await slow).result).toBe('on');
});

test('0, 1 and 10,000 actions: none and one are fine, too many are refused with the limit', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  expect(await raw.register([])).toMatchObject({ result: { accepted: [], rejected: [] } });
  expect(await raw.register([action('one')])).toMatchObject({ result: { accepted: ['raw__one'] } });
  const many = Array.from({ length: 10_000 }, (_, index) => action(`action_${index}`));
  expect(await raw.register(many)).toMatchObject({
    error: { message: expect.stringMatching(/10000 actions.*5000/), data: { code: 'INVALID_ACTION' } },
  });
  const full = await raw.register(many.slice(0, 1_000));
  expect((full.result as { accepted: string[] }).accepted).toHaveLength(1_000);
});

test('each action is accepted or rejected on its own, with what to change', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  const { result } = await raw.register([
    action('good'),
    action('good'),
    action('get weather'),
    action('wetter ☀'),
    action(''),
    action(5),
    action('x'.repeat(70)),
    action('undescribed', { actionDescription: '' }),
    action('hidden', { actionDescription: '\u200b\u202e' }),
    action('remote', { payloadDescription: { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/schema.json' } } } }),
    action('text_root', { payloadDescription: { type: 'string', $schema: 'https://json-schema.org/draft/2020-12/schema' } }),
    action('cycle', { payloadDescription: { type: 'object', properties: { next: { $ref: '#' } } } }),
    action('hostile', { payloadDescription: { a: { type: 'string', pattern: '^(a+)+$' } } }),
  ]);
  const { accepted, rejected } = result as { accepted: string[]; rejected: { action: string; message: string }[] };
  expect(accepted).toEqual(['raw__good', 'raw__cycle', 'raw__hostile']);
  expect(rejected.map((one) => one.action)).toEqual([
    'good',
    'get weather',
    'wetter ☀',
    '',
    '5',
    'x'.repeat(70),
    'undescribed',
    'hidden',
    'remote',
    'text_root',
  ]);
  for (const { message } of rejected) expect(message.length).toBeGreaterThan(20);
});

test('a hostile pattern in a schema costs no time', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action('hostile', { payloadDescription: { a: { type: 'string', pattern: '^(a+)+$' } } })]);
  const tools = await service.tools();
  const before = performance.now();
  await expect(tools.invoke('raw__hostile', { a: `${'a'.repeat(5_000)}!` })).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  // A backtracking engine needs 2^5000 steps.
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('a second connection of the same instance takes over; a key has a limited number of sockets', async () => {
  const service = await startService({ limits: { socketsPerKey: 2 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const first = await RawToolkit.connect(service, key);
  await first.register([action('one')]);
  const second = await RawToolkit.connect(service, key);
  await second.register([action('one')]);
  await vi.waitFor(() => expect(first.closed?.code).toBe(4409));
  await RawToolkit.connect(service, key);
  await expect(RawToolkit.connect(service, key)).rejects.toThrow('429');
});

test.each([
  ['no key', undefined, 401],
  ['an agent key', 'agent', 403],
] as const)('an upgrade with %s is refused before it happens', async (_name, kind, status) => {
  const service = await startService();
  const headers = kind ? { authorization: `Bearer ${(await service.keys.create({ kind, name: 'x' })).key}` } : {};
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/toolkit`, { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(status);
});

test('the service survives random frames and serves the other toolkits', async () => {
  const service = await startService();
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'fuzz' });
  const method = fc.oneof(fc.constantFrom('register', 'update', 'drain', 'result', 'progress', 'heartbeat', 'invoke'), fc.string());
  const params = fc.oneof(
    fc.jsonValue(),
    fc.record({
      protocol: fc.constantFrom(1, 2),
      sdk: fc.string(),
      instance: fc.string(),
      actions: fc.array(fc.jsonValue()),
      concurrency: fc.integer(),
      unfinished: fc.array(fc.string()),
    }),
    fc.record({ invocationId: fc.string(), result: fc.jsonValue(), progress: fc.double() }),
  );
  const frames = fc.oneof(
    fc.string(),
    fc
      .record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), fc.string()), method, params })
      .map((frame) => JSON.stringify(frame)),
    fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), result: fc.jsonValue() }).map((frame) => JSON.stringify(frame)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { minLength: 1, maxLength: 10 }), async (batch) => {
      const raw = await RawToolkit.connect(service, key);
      for (const frame of batch) raw.send(frame);
      await vi.waitFor(() =>
        expect(raw.received.length > 0 || raw.closed !== undefined || batch.every((frame) => frame.includes('result'))).toBe(true),
      );
    }),
    { numRuns: 40 },
  );
  const tools = await service.tools();
  expect((await tools.invoke('echo__echo', { still: 'here' })).result).toEqual({ still: 'here' });
});

test('a schema whose names or values hold characters that no screen shows is rejected, and its descriptions are cleaned', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  const hidden = 'a\u{e0041}\u{e0042}\u200b\u202e';
  const field = (schema: object) => ({ type: 'object', properties: { field: schema } });
  const schemas: object[] = [
    { type: 'object', properties: { [hidden]: { type: 'string' } } },
    { [hidden]: 'a property in short form' },
    field({ enum: ['a', hidden] }),
    field({ const: hidden }),
    field({ const: { description: hidden } }),
    field({ default: { list: [hidden] } }),
    field({ examples: [{ [hidden]: 1 }] }),
    field({ example: hidden }),
    field({ pattern: 'a\u200b' }),
    field({ format: hidden }),
    field({ 'x-note': hidden }),
    field({ default: '\u001b[2J' }),
    field({ enum: ['😊\u{e0101}\u{e0102}'] }),
    { type: 'object', required: [hidden] },
    { type: 'object', dependentRequired: { a: [hidden] } },
    { type: 'object', $defs: { [hidden]: { type: 'string' } } },
    { type: 'object', components: { schemas: { Pet: { description: hidden } } } },
    { allOf: [{ properties: { a: { items: { anyOf: [{ enum: [hidden] }] } } } }] },
  ];
  const shown = field({
    type: 'string',
    title: `Title${hidden}`,
    description: `Text${hidden}`,
    $comment: hidden,
    enum: ['می‌خواهم', '👩🏽‍💻', 'a\r\nb', '葛\u{e0100}'],
  });
  const { result } = await raw.register([
    ...schemas.map((payloadDescription, index) => action(`hidden_${index}`, { payloadDescription })),
    action('shown', { payloadDescription: shown }),
  ]);
  const { accepted, rejected } = result as { accepted: string[]; rejected: { action: string; message: string }[] };
  expect(accepted).toEqual(['raw__shown']);
  expect(rejected).toHaveLength(schemas.length);
  for (const { message } of rejected) {
    expect(message).toMatch(/holds characters that no screen shows; remove them$/);
    expect(message).toMatch(/^[\x20-\x7e\u{1f60a}]*$/u);
  }
  expect(rejected[2]?.message).toBe(
    'payloadDescription at /properties/field/enum/1: "a\\u{e0041}\\u{e0042}\\u{200b}\\u{202e}" holds characters that no screen shows; remove them',
  );
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const listed = await fetch(`${service.url}/v1/actions`, { headers: { authorization: `Bearer ${key}` } });
  const { actions } = await listed.json();
  expect(actions[0].payloadSchema).toEqual(
    field({ type: 'string', title: 'Titlea', description: 'Texta', $comment: 'a', enum: ['می‌خواهم', '👩🏽‍💻', 'a\r\nb', '葛\u{e0100}'] }),
  );
});
