import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ToolkitStatus } from '../../../src/index';
import type { RegisterParams } from '../../../src/protocol/frames';
import { gate, newToolkit, running, type ServiceSocket, startService, until, type WireService } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

// Reconnects are fast here; backoff.test.ts tests the delays.
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.02);
  return () => random.mockRestore();
});

/** An answer that takes longer cuts the connection: a busy machine must keep up. */
const HEARTBEAT_MS = 250;

/** Breaks the connection and returns the next registered connection. */
async function reconnected(service: WireService, socket: ServiceSocket): Promise<ServiceSocket> {
  socket.webSocket.terminate();
  return service.registeredSocket(service.sockets.length);
}

test('the instance reconnects, and a handler that still ran delivers its result on the new connection', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, async ({ signal }) => {
    await opened;
    return { aborted: signal.aborted };
  });
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  const second = await reconnected(service, first);
  open();

  const result = await second.frame(({ method }) => method === 'result');
  expect(result.params).toEqual({ invocationId: 'inv_1', result: { aborted: false } });
  const [before, after] = [first, second].map(({ frames }) => frames[0]?.params as RegisterParams);
  expect(after?.instance).toBe(before?.instance);
  expect(after?.unfinished).toEqual(['inv_1']);
});

test('a result that was answered but not confirmed is delivered again, once', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  await first.call('inv_1', 'today');
  const second = await reconnected(service, first);
  await second.frame(({ method }) => method === 'result');
  const third = await reconnected(service, second);

  expect(second.of('result').map(({ params }) => params)).toEqual([{ invocationId: 'inv_1', result: 'sunny' }]);
  expect(third.frames[0]?.params.unfinished).toEqual([]);
});

test('an answered heartbeat confirms earlier results', async () => {
  const service = await startService();
  service.heartbeatMs = HEARTBEAT_MS;
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  await first.call('inv_1', 'today');
  const beats = first.of('heartbeat').length;
  await until(() => first.of('heartbeat').length > beats + 1);

  const second = await reconnected(service, first);
  expect(second.frames[0]?.params.unfinished).toEqual([]);
});

test('a released invocation that is sent again is answered from memory, or with OUTCOME_UNKNOWN if the outcome was too large', async () => {
  const service = await startService();
  service.heartbeatMs = HEARTBEAT_MS;
  const runs: string[] = [];
  const toolkit = newToolkit(service);
  toolkit.action(today, ({ invocationId, error }, { chars = 5 }) => {
    runs.push(invocationId);
    return invocationId === 'inv_bad' ? error('RAIN', 'It rains') : 'x'.repeat(chars as number);
  });
  const first = await running(service, toolkit);
  await first.call('inv_small', 'today');
  await first.call('inv_bad', 'today');
  await first.call('inv_large', 'today', { chars: 600_000 });
  const beats = first.of('heartbeat').length;
  await until(() => first.of('heartbeat').length > beats + 1);

  const second = await reconnected(service, first);
  expect(second.frames[0]?.params.unfinished).toEqual([]);
  expect((await second.call('inv_small', 'today')).result).toBe('xxxxx');
  expect((await second.call('inv_bad', 'today')).error?.data?.code).toBe('RAIN');
  expect((await second.call('inv_large', 'today')).error).toMatchObject({ code: -32001, data: { code: 'OUTCOME_UNKNOWN' } });
  expect(runs).toEqual(['inv_small', 'inv_bad', 'inv_large']);
});

test('an invocation that the service does not await is released: its signal aborts, and no result is sent', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  const aborted = gate<string>();
  toolkit.action(today, async ({ signal }) => {
    signal.addEventListener('abort', () => aborted.open(signal.reason.name));
    await opened;
  });
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { awaiting: [] });
  const second = await reconnected(service, first);

  expect(await aborted.opened).toBe('AbortError');
  open();
  await second.call('inv_2', 'nope');
  expect(second.of('result')).toEqual([]);
  const third = await reconnected(service, second);
  expect(third.frames[0]?.params.unfinished).toEqual([]);
});

test('a second delivery never runs again: ignored while it runs, answered from memory when done', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  let runs = 0;
  const { open, opened } = gate();
  toolkit.action(today, async () => {
    runs++;
    await opened;
    return runs;
  });
  const socket = await running(service, toolkit);
  socket.invoke('inv_1', 'today');
  socket.invoke('inv_1', 'today');
  open();
  expect((await socket.frame(({ id }) => id === 'inv_1')).result).toBe(1);
  await socket.call('inv_x', 'nope');
  expect(socket.frames.filter(({ id }) => id === 'inv_1')).toHaveLength(1);
  socket.invoke('inv_1', 'today');
  await until(() => socket.frames.filter(({ id, result }) => id === 'inv_1' && result === 1).length === 2);
  expect(runs).toBe(1);
});

test('an invocation delivered again on a new connection is answered there', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, async () => {
    await opened;
    return 'once';
  });
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  const second = await reconnected(service, first);
  second.invoke('inv_1', 'today');
  await second.call('inv_x', 'nope');
  open();
  expect((await second.frame(({ id }) => id === 'inv_1')).result).toBe('once');
  expect(second.of('result')).toEqual([]);
});

test('a heartbeat without an answer cuts the connection and a new one is made', async () => {
  const service = await startService();
  service.heartbeatMs = HEARTBEAT_MS;
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  service.respond.heartbeat = (_params, socket) => (socket === service.sockets[0] ? undefined : {});
  const first = await running(service, toolkit);
  const second = await service.registeredSocket(1);

  await until(() => first.closeCode);
  const lost = statuses.find(({ state }) => state === 'disconnected');
  expect(lost).toMatchObject({ reason: { code: 'CONNECTION_CLOSED', message: expect.stringContaining('heartbeat') } });
  await until(() => second.of('heartbeat').length > 2);
  expect(second.closeCode).toBeUndefined();
});

test('network faults, other statuses than 401 and 403, and closing are retried, and reported through onStatus', async () => {
  const service = await startService();
  service.refuse = { status: 503, body: '<h1>Bad gateway</h1>', contentType: 'text/html' };
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  const done = toolkit.run();
  await until(() => statuses.find(({ state }) => state === 'disconnected'));
  service.refuse = undefined;
  const socket = await service.registeredSocket();
  await toolkit.ready;
  socket.webSocket.close(1001, 'bye');
  await service.registeredSocket(1);
  await toolkit.stop();
  await done;

  const lost = statuses.flatMap((status) => (status.state === 'disconnected' ? [status] : []));
  expect(lost[0]?.reason).toMatchObject({ code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('503 <h1>Bad gateway') });
  expect(lost[0]?.retryInMs).toBeLessThanOrEqual(250);
  expect(lost.at(-1)?.reason).toMatchObject({ code: 'CONNECTION_CLOSED', message: expect.stringContaining('1001: bye') });
  expect(statuses.at(-1)).toEqual({ state: 'stopped' });
  expect(statuses[0]).toEqual({ state: 'connecting' });
});

test('a port that refuses connections is retried', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { baseUrl: `http://127.0.0.1:${port}`, onStatus: (status) => statuses.push(status) });
  const done = toolkit.run();
  await until(() => statuses.filter(({ state }) => state === 'disconnected').length === 2);
  expect(statuses[1]).toMatchObject({ reason: { code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') } });
  await toolkit.stop();
  await done;
});

test('rejected actions and a refused registration after the first do not end the toolkit', async () => {
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  const rejected = [{ action: 'today', message: 'taken' }];
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { accepted: [], rejected });
  const second = await reconnected(service, first);
  await until(() => statuses.find((status) => status.state === 'connected' && status.rejected.length === 1));

  service.respond.register = () => ({ error: { code: -32602, message: 'No such protocol' } });
  const third = await reconnected(service, second);
  await until(() => third.closeCode === 1000);
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams);
  const fourth = await service.registeredSocket(3);
  expect((await fourth.call('inv_1', 'today')).result).toBe('sunny');
  expect(statuses.findLast(({ state }) => state === 'disconnected')).toMatchObject({ reason: { message: 'No such protocol' } });
});

test('an update made while disconnected is kept, and resolves after the next registration', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const first = await running(service, toolkit);
  service.respond.update = () => undefined;
  const lost = toolkit.updateToolkit({ name: 'Lost on the way' });
  await first.frame(({ method }) => method === 'update');
  service.refuse = { status: 500, body: '' };
  first.webSocket.terminate();
  await until(() => first.closeCode);
  const waiting = toolkit.updateToolkit({ description: 'Said while away' });
  service.respond.update = (params) => ({ toolkit: { id: 'test', name: 'Test', description: '', ...params } });
  service.refuse = undefined;

  await Promise.all([lost, waiting]);
  const second = service.sockets[1];
  expect(second?.frames[0]?.params.toolkit).toEqual({ name: 'Lost on the way', description: 'Said while away' });
  expect(second?.of('update').map(({ params }) => params)).toEqual([{ name: 'Lost on the way' }, { description: 'Said while away' }]);
  const third = await reconnected(service, second as ServiceSocket);
  expect(third.frames[0]?.params.toolkit).toEqual({ name: 'Lost on the way', description: 'Said while away' });
});

test('a list that is sent while an update is unanswered keeps its name', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const socket = await running(service, toolkit);
  service.respond.update = () => undefined;
  toolkit.updateToolkit({ name: 'New' }).catch(() => {});
  toolkit.action(today, () => 'sunny');
  await until(() => socket.of('register')[1]);
  expect(socket.of('register')[1]?.params.toolkit).toEqual({ name: 'New' });
});

const TOO_LONG = { error: { code: -32000, message: 'Too long', data: { code: 'INVALID_REQUEST', message: 'Too long' } } };

test('a list that is refused because of a pending update is sent again without the update', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const socket = await running(service, toolkit);
  service.respond.update = () => TOO_LONG;
  service.respond.register = (params) => (params.toolkit ? TOO_LONG : service.registered(params as unknown as RegisterParams));
  const refused = expect(toolkit.updateToolkit({ name: 'Long' })).rejects.toMatchObject({ message: 'Too long' });
  toolkit.action(today, () => 'sunny');
  await refused;
  await until(() => socket.of('register')[2]);
  expect(socket.of('register').map(({ params }) => [params.toolkit, params.actions.length])).toEqual([
    [undefined, 0],
    [{ name: 'Long' }, 1],
    [undefined, 1],
  ]);
});

test('an update that gets a reconnect refused is rejected, and the next try is without the update', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const first = await running(service, toolkit);
  service.respond.update = () => undefined;
  const refused = expect(toolkit.updateToolkit({ name: 'Long' })).rejects.toMatchObject({ message: 'Too long' });
  await first.frame(({ method }) => method === 'update');
  service.respond.register = (params) => (params.toolkit ? TOO_LONG : service.registered(params as unknown as RegisterParams));
  first.webSocket.terminate();
  await refused;
  const third = await service.registeredSocket(2);
  expect(third.frames[0]?.params.toolkit).toBeUndefined();
});

test('after a close because of a too large frame, the result is replaced by a small error', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'x'.repeat(100_000));
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  await first.frame(({ id }) => id === 'inv_1');
  first.webSocket.close(1009);
  const second = await service.registeredSocket(1);
  const { params } = await second.frame(({ method }) => method === 'result');
  expect(params).toMatchObject({ invocationId: 'inv_1', error: { data: { code: 'RESULT_TOO_LARGE' } } });
});

test('a queued invocation runs after a lost connection only if its result is still awaited', async () => {
  const service = await startService();
  const toolkit = newToolkit(service, { concurrency: 1 });
  const { open, opened } = gate();
  const ran: string[] = [];
  toolkit.action(today, async ({ invocationId }) => {
    ran.push(invocationId);
    await opened;
    return invocationId;
  });
  const first = await running(service, toolkit);
  for (const id of ['inv_1', 'inv_2', 'inv_3']) first.invoke(id, 'today');
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { awaiting: ['inv_1', 'inv_3'] });
  const second = await reconnected(service, first);
  // Frames are read in order: after the pong, the toolkit has the answer to its registration.
  const pong = once(second.webSocket, 'pong');
  second.webSocket.ping();
  await pong;
  open();
  await until(() => second.of('result').length === 2);
  expect(second.frames[0]?.params.unfinished).toEqual(['inv_1', 'inv_2', 'inv_3']);
  expect(ran).toEqual(['inv_1', 'inv_3']);
  // The invocation never ran, so its answer must not report a run.
  expect((await second.call('inv_2', 'today')).result).toBe('inv_2');
});

test.each([
  ['breaks', (socket: ServiceSocket) => socket.webSocket.terminate()],
  ['moves', (socket: ServiceSocket) => socket.send({ method: 'reconnect', params: { withinMs: 50 } })],
])('however often the connection %s, each invocation runs once and its result arrives', async (_name, end) => {
  const service = await startService();
  service.heartbeatMs = 10;
  const runs = new Map<string, number>();
  const toolkit = newToolkit(service, { concurrency: 5 });
  toolkit.action(today, async ({ invocationId }) => {
    runs.set(invocationId, (runs.get(invocationId) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, runs.size % 7));
    return invocationId;
  });

  // The service stores invocations that are sent and not settled. A lost invocation is sent again.
  const open = new Set<string>();
  const settle = (id: unknown, result: unknown) => {
    expect(result).toBe(id);
    open.delete(id as string);
  };
  service.respond.register = (params, socket) => {
    const { unfinished } = params as unknown as RegisterParams;
    const missing = [...open].filter((id) => !unfinished.includes(id));
    setImmediate(() => {
      for (const id of missing) socket.invoke(id, 'today');
    });
    return service.registered(params as unknown as RegisterParams, { awaiting: unfinished.filter((id) => open.has(id)) });
  };
  service.respond.result = ({ invocationId, result }) => {
    const accepted = open.has(invocationId as string);
    if (accepted) settle(invocationId, result);
    return { accepted };
  };
  service.onFrame = ({ id, result }) => {
    if (typeof id === 'string') settle(id, result);
  };

  // A busy machine misses a heartbeat of 10 ms. A missed heartbeat causes another reconnect; if a move is interrupted, its socket never
  // registers.
  const registered = () => service.sockets.filter(({ frames }) => frames[0]?.method === 'register');
  const newerThan = (socket: ServiceSocket) => until(() => (registered().at(-1) === socket ? undefined : registered().at(-1)));
  let socket = await running(service, toolkit);
  for (let round = 0; round < 15; round++) {
    for (let n = 0; n < 10; n++) {
      const id = `inv_${round}_${n}`;
      open.add(id);
      socket.invoke(id, 'today');
      if (n % 4 === 3) await new Promise((resolve) => setTimeout(resolve, round % 3));
      if (n === round % 10) end(socket);
    }
    socket = await newerThan(socket);
  }
  // A call on a lost socket is sent after one more registration.
  socket.webSocket.terminate();
  await newerThan(socket);
  await until(() => open.size === 0);
  expect(runs.size).toBe(150);
  expect([...runs.values()].every((count) => count === 1)).toBe(true);
  await toolkit.stop();
});
