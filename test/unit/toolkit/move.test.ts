import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ToolkitStatus } from '../../../src/index';
import { SvcError } from '../../../src/protocol/errors';
import type { RegisterParams } from '../../../src/protocol/frames';
import { Move } from '../../../src/toolkit/move';
import type { ServiceConnection } from '../../../src/toolkit/service-connection';
import { gate, newToolkit, running, type ServiceSocket, startService, until } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.02);
  return () => random.mockRestore();
});

function askToMove(socket: ServiceSocket, withinMs = 100): void {
  socket.send({ method: 'reconnect', params: { withinMs } });
}

const states = (statuses: ToolkitStatus[]) => statuses.map(({ state }) => state);

test('on a reconnect request, it registers on a second socket with its running calls, continues, and reports no loss', async () => {
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  const { open, opened } = gate();
  toolkit.action(today, async ({ signal }) => {
    await opened;
    return { aborted: signal.aborted };
  });
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  askToMove(first);
  const second = await service.registeredSocket(1);
  await until(() => first.closeCode === 1000);
  open();

  expect((await second.frame(({ method }) => method === 'result')).params).toEqual({ invocationId: 'inv_1', result: { aborted: false } });
  const [before, after] = [first, second].map(({ frames }) => frames[0]?.params as RegisterParams);
  expect(after).toEqual({ ...before, unfinished: ['inv_1'], connection: 2, registered: 1 });
  expect(first.of('result')).toEqual([]);
  await until(() => statuses.length === 3);
  expect(states(statuses)).toEqual(['connecting', 'connected', 'connected']);
});

test('an invocation on the old socket after the new one has registered is ignored, and runs when it is sent again', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  let runs = 0;
  toolkit.action(today, () => ++runs);
  const first = await running(service, toolkit);
  askToMove(first);
  // The old node has not detected the move yet.
  await until(() => service.sockets[1]);
  first.webSocket.pause();
  const second = await service.registeredSocket(1);
  first.invoke('inv_late', 'today');
  first.webSocket.resume();
  await until(() => first.closeCode);

  expect(second.frames[0]?.params.unfinished).toEqual([]);
  expect((await second.call('inv_late', 'today')).result).toBe(1);
  expect(first.frames.filter(({ id }) => id === 'inv_late')).toEqual([]);
});

test('a result between the two sockets waits until the service requests it', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, () => opened.then(() => 'kept'));
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  service.respond.register = () => undefined;
  askToMove(first);
  const second = await service.registeredSocket(1);
  open();
  await until(() => first.closeCode);
  expect(second.frames).toHaveLength(1);
  const { id, params } = second.frames[0] ?? {};
  second.send({ id, result: service.registered(params) });
  expect((await second.frame(({ method }) => method === 'result')).params).toEqual({ invocationId: 'inv_1', result: 'kept' });
  expect(second.of('result')).toHaveLength(1);
});

test('a node that refuses is retried, and the old socket serves meanwhile', async () => {
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  service.refuse = { status: 503, body: '' };
  askToMove(first);
  await until(() => service.refused >= 2);
  expect((await first.call('inv_1', 'today')).result).toBe('sunny');
  service.refuse = undefined;
  const second = await service.registeredSocket(1);
  expect((await second.call('inv_2', 'today')).result).toBe('sunny');
  await until(() => first.closeCode);
  expect(states(statuses)).toEqual(['connecting', 'connected', 'connected']);
});

test('an old socket that closes before the new one is open is a loss, after which one socket is opened', async () => {
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  service.refuse = { status: 503, body: '' };
  askToMove(first);
  await until(() => service.refused >= 1);
  first.webSocket.close(1001, 'the service is stopping');
  await until(() => statuses.find(({ state }) => state === 'disconnected'));
  service.refuse = undefined;
  const second = await service.registeredSocket(1);
  await until(() => statuses.at(-1)?.state === 'connected');
  expect((await second.call('inv_1', 'today')).result).toBe('sunny');
  expect(service.sockets).toHaveLength(2);
});

test('two requests cause one move; a request of the next node causes another', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  askToMove(first);
  askToMove(first);
  const second = await service.registeredSocket(1);
  await until(() => first.closeCode);
  expect((await second.call('inv_1', 'today')).result).toBe('sunny');
  expect(service.sockets).toHaveLength(2);
  askToMove(second, 0);
  const third = await service.registeredSocket(2);
  expect((await third.call('inv_2', 'today')).result).toBe('sunny');
});

test('a request before the answer to the registration moves the registration to another node', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  service.respond.register = (params, socket) => (socket === service.sockets[0] ? undefined : service.registered(params as never));
  toolkit.run();
  const first = await service.registeredSocket();
  askToMove(first);
  await toolkit.ready;
  expect((await (service.sockets[1] as ServiceSocket).call('inv_1', 'today')).result).toBe('sunny');
});

test.each([undefined, null, 7, [], {}, { withinMs: -1 }, { withinMs: '5' }, { withinMs: null }])(
  'a reconnect with %j is ignored',
  async (params) => {
    const service = await startService();
    const toolkit = newToolkit(service);
    toolkit.action(today, () => 'sunny');
    const socket = await running(service, toolkit);
    vi.mocked(Math.random).mockClear();
    socket.send({ method: 'reconnect', params });
    expect((await socket.call('inv_1', 'today')).result).toBe('sunny');
    // A move begins with a random time.
    expect(Math.random).not.toHaveBeenCalled();
  },
);

test('additions and updates during a move arrive on the new socket', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const first = await running(service, toolkit);
  const { respond } = service;
  const { register = () => undefined } = respond;
  respond.register = () => undefined;
  askToMove(first);
  const second = await service.registeredSocket(1);
  toolkit.action(today, () => 'sunny');
  const updated = toolkit.updateToolkit({ name: 'Weather' });
  respond.register = register;
  const { id, params } = second.frames[0] ?? {};
  second.send({ id, result: service.registered(params) });
  await updated;
  await until(() => second.of('register').length === 2);
  expect((await second.call('inv_1', 'today')).result).toBe('sunny');
});

test('stop during a move cancels the move and drains on the old socket', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const first = await running(service, toolkit);
  service.refuse = { status: 503, body: '' };
  askToMove(first);
  await until(() => service.refused >= 1);
  service.refuse = undefined;
  await toolkit.stop();
  expect(first.of('drain')).toHaveLength(1);
  await until(() => first.closeCode === 1000);
  expect(service.sockets.slice(1).flatMap(({ frames }) => frames)).toEqual([]);
});

test('stop while the new node has not answered yet drains there', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, () => opened.then(() => 'done'));
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  service.respond.register = () => undefined;
  askToMove(first);
  const second = await service.registeredSocket(1);
  const stopped = toolkit.stop();
  const { id, params } = second.frames[0] ?? {};
  second.send({ id, result: service.registered(params) });
  await second.frame(({ method }) => method === 'drain');
  open();
  await stopped;
  expect(second.of('result').map(({ params }) => params)).toEqual([{ invocationId: 'inv_1', result: 'done' }]);
});

test('a stopping toolkit does not move', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, () => opened.then(() => 'done'));
  const socket = await running(service, toolkit);
  socket.invoke('inv_1', 'today');
  const stopped = toolkit.stop();
  await socket.frame(({ method }) => method === 'drain');
  askToMove(socket, 0);
  await socket.call('inv_2', 'nope');
  open();
  await stopped;
  expect(service.sockets).toHaveLength(1);
});

test("a move starts at a random time within `withinMs`; retries follow a backoff or the refusal's time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const opening: ServiceConnection[] = [];
  const move = new Move(
    () => {
      const connection = { retire: vi.fn() } as unknown as ServiceConnection;
      opening.push(connection);
      return connection;
    },
    () => 0.5,
  );
  move.begin(10_000);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(opening).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(opening).toHaveLength(1);
  move.closed(opening[0] as ServiceConnection, new SvcError('SERVICE_UNREACHABLE', 'x'));
  move.closed(opening[0] as ServiceConnection, new SvcError('SERVICE_UNREACHABLE', 'a second time'));
  await vi.advanceTimersByTimeAsync(125);
  expect(opening).toHaveLength(2);
  move.closed(opening[1] as ServiceConnection, new SvcError('SERVICE_STOPPING', 'x', { retryAfterMs: 1_000 }));
  await vi.advanceTimersByTimeAsync(999);
  expect(opening).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(opening).toHaveLength(3);
  move.cancel();
  expect(opening[2]?.retire).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(opening).toHaveLength(3);
  // Longer than a timer can be.
  move.begin(Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opening).toHaveLength(3);
  move.cancel();
});
