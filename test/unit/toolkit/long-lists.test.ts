import { beforeEach, expect, test, vi } from 'vitest';
import type { Toolkit } from '../../../src/index';
import { newToolkit, running, type ServiceSocket, startService, until, type WireService } from './wire-service';

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.02);
  return () => random.mockRestore();
});

/** 60 actions of 2,000 characters exceed one frame. */
function addMany(toolkit: Toolkit, count = 60): void {
  for (let i = 0; i < count; i++) toolkit.action({ action: `a${i}`, actionDescription: 'x'.repeat(2_000) }, () => i);
}

/** Stores received lists, as the service does. */
function knowLists(service: WireService): Set<string> {
  const known = new Set<string>();
  let parts = 0;
  service.respond.actions = (params) => {
    parts += (params.actions as unknown[]).length;
    return {};
  };
  service.respond.register = (params) => {
    const list = params.list as { id: string; base?: string } | undefined;
    const isKnown = !list || known.has(list.id) || (list.base === undefined ? parts > 0 : known.has(list.base));
    parts = 0;
    if (!isKnown) return { error: { code: -32000, message: 'unknown', data: { code: 'LIST_NOT_FOUND', message: 'unknown' } } };
    if (list) known.add(list.id);
    return service.registered(params as never);
  };
  return known;
}

const requests = (socket: ServiceSocket) => socket.frames.map(({ method, params }) => [method, params.list?.base, params.actions?.length]);
const sizes = (socket: ServiceSocket) => socket.of('actions').map(({ params }) => JSON.stringify(params).length);

test('a short list is sent inside the registration', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  addMany(toolkit, 20);
  const socket = await running(service, toolkit);
  expect(requests(socket)).toEqual([['register', undefined, 20]]);
});

test('a long list is registered by name and sent in frames of at most 64 Ki characters', async () => {
  const service = await startService();
  knowLists(service);
  const toolkit = newToolkit(service);
  addMany(toolkit);
  const socket = await running(service, toolkit);
  expect(requests(socket)).toEqual([
    ['register', undefined, undefined],
    ['actions', undefined, 32],
    ['actions', undefined, 28],
    ['register', undefined, undefined],
  ]);
  expect(Math.max(...sizes(socket))).toBeLessThan(66_000);
  expect(socket.frames[0]?.params.list).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/), size: 60 });
  expect(socket.frames[3]?.params.list).toEqual(socket.frames[0]?.params.list);
});

test('after a reconnect, and in a replica, the name is enough', async () => {
  const service = await startService();
  knowLists(service);
  const [toolkit, replica] = [newToolkit(service), newToolkit(service)];
  addMany(toolkit);
  addMany(replica);
  const socket = await running(service, toolkit);
  socket.webSocket.terminate();
  const second = await service.registeredSocket(1);
  void replica.run();
  await replica.ready;
  expect([second, service.sockets[2] as ServiceSocket].map(requests)).toEqual([
    [['register', undefined, undefined]],
    [['register', undefined, undefined]],
  ]);
});

test('only the changes of a long list are sent', async () => {
  const service = await startService();
  knowLists(service);
  const toolkit = newToolkit(service);
  addMany(toolkit);
  const socket = await running(service, toolkit);
  const before = socket.frames.length;
  toolkit.removeAction('a7');
  toolkit.action({ action: 'new', actionDescription: 'A new one' }, () => 1);
  await until(() => socket.frames[before + 1]);
  const [parts, register] = socket.frames.slice(before);
  expect(parts).toMatchObject({ method: 'actions', params: { actions: [{ action: 'new' }] } });
  expect(register?.params.list).toEqual({
    id: expect.not.stringMatching(socket.frames[0]?.params.list.id),
    size: 60,
    base: socket.frames[0]?.params.list.id,
    remove: ['a7'],
  });
});

test('a list whose base is unknown to the service is sent completely', async () => {
  const service = await startService();
  const known = knowLists(service);
  const toolkit = newToolkit(service);
  addMany(toolkit);
  const socket = await running(service, toolkit);
  known.clear();
  const before = socket.frames.length;
  toolkit.removeAction('a7');
  await until(() => socket.frames[before + 3]);
  expect(requests(socket).slice(before)).toEqual([
    ['register', socket.frames[0]?.params.list.id, undefined],
    ['actions', undefined, 32],
    ['actions', undefined, 27],
    ['register', undefined, undefined],
  ]);
});

test('a service without support for lists gets the actions inside the registration', async () => {
  const service = await startService();
  const invalid = { code: 'INVALID_REQUEST', message: 'register: actions is missing' };
  service.respond.register = (params) =>
    params.actions ? service.registered(params as never) : { error: { code: -32602, message: invalid.message, data: invalid } };
  const toolkit = newToolkit(service);
  addMany(toolkit);
  const socket = await running(service, toolkit);
  expect(requests(socket)).toEqual([
    ['register', undefined, undefined],
    ['register', undefined, 60],
  ]);
});

test('a part that the service refuses is the reason why the registration fails', async () => {
  const service = await startService();
  knowLists(service);
  service.respond.actions = () => ({ error: { code: -32000, message: 'too long', data: { code: 'INVALID_ACTION', message: 'too long' } } });
  const toolkit = newToolkit(service);
  addMany(toolkit);
  await expect(toolkit.run()).rejects.toMatchObject({ code: 'INVALID_ACTION', message: 'too long' });
});

test('setActions replaces all actions at once, or none', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  addMany(toolkit, 2);
  const socket = await running(service, toolkit);
  const one = { action: 'one', actionDescription: 'The one', handler: () => 1 };
  expect(() => toolkit.setActions([one, one])).toThrow('There is an action "one" already');
  toolkit.setActions([one]);
  await until(() => socket.of('register')[1]);
  expect(socket.of('register').map(({ params }) => params.actions.map(({ action }: { action: string }) => action))).toEqual([
    ['a0', 'a1'],
    ['one'],
  ]);
  expect((await socket.call('inv_1', 'one')).result).toBe(1);
  expect((await socket.call('inv_2', 'a0')).error).toMatchObject({ data: { code: 'ACTION_NOT_FOUND' } });
  expect(toolkit.removeAction('a0')).toBe(false);
});
