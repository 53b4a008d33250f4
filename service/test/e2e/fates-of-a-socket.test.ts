/** Calls and sockets after faults of a toolkit's process, its key or its connection. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const action = (name: string) => ({ action: name, actionDescription: 'Does something' });

test('a result that is nested too deep to be written fails its call and nothing else', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action('ask')]);
  const tools = await service.tools();
  const failed = expect(tools.invoke('raw__ask', {}, { timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  const { id } = await raw.invoked();
  raw.send(`{"id":"${id}","jsonrpc":"2.0","result":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
  await failed;
  expect(await raw.request('heartbeat')).toMatchObject({ result: {} });
});

test('an error above the limit of a result is cut: the agent still gets code and message', async () => {
  const service = await startService({ limits: { resultBytes: 10_000 } });
  const raw = await RawToolkit.connect(service);
  await raw.register([action('ask')]);
  const tools = await service.tools();
  const call = tools.invoke('raw__ask').catch((error: unknown) => error);
  const { id } = await raw.invoked();
  const message = 'm'.repeat(100_000);
  raw.send({ jsonrpc: '2.0', id, error: { code: -32000, message, data: { code: 'BROKEN', message, data: 'd'.repeat(100_000) } } });
  const error = await call;
  expect(error).toMatchObject({ code: 'ACTION_FAILED', details: { cause: { code: 'BROKEN' } } });
  expect(JSON.stringify(error).length).toBeLessThan(15_000);
});

test('no call is sent to a socket whose key was revoked, even while it closes', async () => {
  const service = await startService();
  const key = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const raw = await RawToolkit.connect(service, key.key);
  await raw.register([action('ask')]);
  const tools = await service.tools();
  raw.fallSilent();
  await service.keys.revoke(key.id);
  await expect(tools.invoke('raw__ask', {}, { timeoutMs: 900 })).rejects.toMatchObject({ code: 'TOOLKIT_OFFLINE' });
});

test('a connection is one instance: it cannot register as another', async () => {
  const raw = await RawToolkit.connect(await startService());
  await raw.register([action('one')]);
  expect(await raw.register([action('one')], { instance: 'other-instance' })).toMatchObject({
    error: { data: { code: 'INVALID_REQUEST', message: expect.stringContaining('raw-instance') } },
  });
  expect(await raw.register([action('two')])).toMatchObject({ result: { accepted: ['raw__two'] } });
});

test('frames before the registration do not put its deadline off', async () => {
  const raw = await RawToolkit.connect(await startService({ limits: { handshakeTimeoutMs: 300 } }));
  const chatter = setInterval(() => raw.send({ jsonrpc: '2.0', method: 'progress' }), 50);
  onTestFinished(() => clearInterval(chatter));
  await vi.waitFor(() => expect(raw.closed?.code).toBe(4408));
});

test('a call that was cancelled before it arrived is not sent again', async () => {
  const service = await startService();
  const key = (await service.keys.create({ kind: 'toolkit', name: 'raw' })).key;
  const first = await RawToolkit.connect(service, key);
  await first.register([action('ask')]);
  const tools = await service.tools();
  await expect(tools.invoke('raw__ask', {}, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  const second = await RawToolkit.connect(service, key);
  // The frame never arrived: the connection was already broken, undetected.
  await second.register([action('ask')], { unfinished: [] });
  await second.request('heartbeat');
  expect(second.received.filter(({ method }) => method !== undefined)).toEqual([]);
});

test('simultaneous registrations are processed one after the other', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action('one'), action('two'), action('three')]);
  const answers = await Promise.all([raw.register([action('one'), action('four')]), raw.register([action('one')])]);
  expect(answers).toMatchObject([{ result: { accepted: ['raw__one', 'raw__four'] } }, { result: { accepted: ['raw__one'] } }]);
  const { actions } = await (await service.request('/v1/actions')).json();
  expect(actions).toMatchObject([{ action: 'raw__one', online: true }]);
});

test('a refused upgrade leaves no socket open, also when the other side does not close its own', async () => {
  const service = await startService();
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(`GET /v1/toolkit HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n\r\n`);
  const broken = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'end');
  // A closed socket answers data with a reset.
  const poke = setInterval(() => socket.write('x'), 20);
  onTestFinished(() => clearInterval(poke));
  await broken;
});

test.each([
  { registered: 1, fate: 'is sent again' },
  { registered: 2, fate: 'is not: another node may have its answer' },
])('an unlisted call of an instance that was registered on $registered connections before $fate', async ({ registered }) => {
  const service = await startService({ limits: { takeoverGraceMs: 300, reconnectGraceMs: 2_000 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const first = await RawToolkit.connect(service, key);
  await first.register([action('ask')], { connection: 1, registered: 0 });
  const tools = await service.tools();
  const call = tools.invoke('raw__ask', {}, { timeoutMs: 10_000 }).catch((error: unknown) => error);
  const { id } = await first.invoked();
  first.close();
  const second = await RawToolkit.connect(service, key);
  await second.register([action('ask')], { connection: 3, registered });
  if (registered === 1) {
    expect(await second.invoked()).toMatchObject({ id });
    second.send({ jsonrpc: '2.0', id, result: 'done' });
    expect(await call).toMatchObject({ result: 'done' });
  } else {
    expect(await call).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(second.received.filter(({ method }) => method === 'invoke')).toEqual([]);
  }
});

const MAY_REPEAT = { action: 'look', actionDescription: 'Looks something up', annotations: { readOnly: true } };

test('after a reset, a call that must not run twice waits for its process beyond reconnectGraceMs', async () => {
  const service = await startService({ limits: { reconnectGraceMs: 100, takeoverGraceMs: 30_000 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const first = await RawToolkit.connect(service, key);
  await first.register([action('ask'), MAY_REPEAT]);
  const tools = await service.tools();
  const ask = tools.invoke('raw__ask', {}, { timeoutMs: 20_000 });
  const { id } = await first.invoked(0);
  const look = tools.invoke('raw__look', {}, { timeoutMs: 20_000, idempotencyKey: 'look' }).catch((error: unknown) => error);
  await first.invoked(1);
  first.reset();
  // No other process offers it: reconnectGraceMs has passed.
  expect(await look).toMatchObject({ code: 'TOOLKIT_OFFLINE' });

  const second = await RawToolkit.connect(service, key);
  expect(await second.register([action('ask'), MAY_REPEAT], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  await second.request('result', { invocationId: id, result: 'done' });
  expect(await ask).toMatchObject({ result: 'done' });
});

test('when a process ends its stream, its calls wait for no longer than reconnectGraceMs', async () => {
  const service = await startService({ limits: { reconnectGraceMs: 100, takeoverGraceMs: 30_000 } });
  const toolkit = await RawToolkit.connect(service);
  await toolkit.register([action('ask')]);
  const ask = (await service.tools()).invoke('raw__ask', {}, { timeoutMs: 20_000 }).catch((error: unknown) => error);
  await toolkit.invoked();
  toolkit.endStream();
  expect(await ask).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});
