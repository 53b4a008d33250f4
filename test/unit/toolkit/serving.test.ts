import { expect, test, vi } from 'vitest';
import type { ActionContext, CallWarning, ToolkitStatus } from '../../../src/index';
import { gate, KEY, newToolkit, running, startService, until } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

test('a toolkit registers its actions, name and description with the key in a header', async () => {
  const service = await startService();
  const toolkit = newToolkit(service, { concurrency: 7 });
  await toolkit.updateToolkit({ name: 'Weather' });
  await toolkit.updateToolkit({ description: 'Forecasts' });
  toolkit.action({ ...today, payloadDescription: { city: { type: 'string', required: true } }, annotations: { readOnly: true } }, () => 1);
  const socket = await running(service, toolkit);

  expect(socket.request.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(socket.request.url).toBe('/v1/toolkit');
  expect(socket.request.headers['sec-websocket-extensions']).toBeUndefined();
  expect(socket.frames[0]?.params).toEqual({
    protocol: 1,
    sdk: expect.stringMatching(/^svc-sdk-js\/\d/),
    instance: expect.stringMatching(/^.{8,64}$/),
    toolkit: { name: 'Weather', description: 'Forecasts' },
    actions: [{ ...today, payloadDescription: { city: { type: 'string', required: true } }, annotations: { readOnly: true } }],
    concurrency: 7,
    unfinished: [],
    connection: 1,
    registered: 0,
  });
  expect(await toolkit.ready).toEqual({
    toolkit: { id: 'test', name: 'Test', description: '' },
    accepted: ['test__today'],
    warnings: [],
    moreWarnings: 0,
    held: [],
  });
});

test('a path before /v1 is kept', async () => {
  const service = await startService();
  const socket = await running(service, newToolkit(service, { baseUrl: `${service.url}/svc/` }));
  expect(socket.request.url).toBe('/svc/v1/toolkit');
});

test('the result is the return value, else the last value of ctx.result, else null', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const handlers: Record<string, (ctx: ActionContext) => unknown> = {
    returns: () => ({ a: 1 }),
    returns_result: async (ctx) => ctx.result({ a: 2 }),
    calls_result: ({ result }) => {
      result('first');
      result('second');
    },
    both: (ctx) => {
      ctx.result('said');
      return 'returned';
    },
    nothing: () => {},
    null_result: (ctx) => void ctx.result(null),
  };
  for (const [action, handler] of Object.entries(handlers)) toolkit.action({ action, actionDescription: action }, handler);
  const socket = await running(service, toolkit);

  const results = await Promise.all(Object.keys(handlers).map((action) => socket.call(`inv_${action}`, action)));
  expect(results.map(({ result }) => result)).toEqual([{ a: 1 }, { a: 2 }, 'second', 'returned', null, null]);
});

test('ctx has action, invocation, agent and deadline; an absent or null payload is {}', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, ({ action, invocationId, agentId, deadline }, payload) => ({ action, invocationId, agentId, deadline, payload }));
  const socket = await running(service, toolkit);

  const { result } = await socket.call('inv_1', 'today', { city: 'Rome' }, 60_000);
  expect(result).toMatchObject({ action: 'today', invocationId: 'inv_1', agentId: 'key_agent', payload: { city: 'Rome' } });
  expect(Date.parse(result.deadline) - Date.now()).toBeGreaterThan(50_000);
  expect((await socket.call('inv_2', 'today')).result.payload).toEqual({});
  expect((await socket.call('inv_3', 'today', null)).result.payload).toEqual({});
});

test('the handler gets the name of the call for every attempt; an older service sends only the invocation id', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, ({ idempotencyKey, attempt }) => ({ idempotencyKey, attempt }));
  const socket = await running(service, toolkit);
  const told = async (id: string, more: object) => {
    socket.send({ id, method: 'invoke', params: { action: 'today', agentId: 'key_agent', timeoutMs: 1_000, ...more } });
    return (await socket.frame((frame) => frame.id === id)).result;
  };

  expect(await told('inv_1', { idempotencyKey: 'order-4711', attempt: 2 })).toEqual({ idempotencyKey: 'order-4711', attempt: 2 });
  expect(await told('inv_2', {})).toEqual({ idempotencyKey: 'inv_2', attempt: 1 });
  expect(await told('inv_3', { idempotencyKey: 7, attempt: 'two' })).toEqual({ idempotencyKey: 'inv_3', attempt: 1 });
});

test('a failure carries its code, message and data, thrown or returned, and never a stack', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const options = { data: { limit: 5n }, retryable: true, retryAfterMs: 500 };
  const handlers: Record<string, (ctx: ActionContext) => unknown> = {
    throws: (ctx) => {
      throw ctx.error('NO_CITY', 'No such city', options);
    },
    returns: ({ error }) => error('NO_CITY', 'No such city', options),
    plain: async () => {
      throw new TypeError('x is not a function');
    },
    text: () => {
      throw 'only text';
    },
    hostile: () => {
      throw Object.create(null);
    },
    hostile_data: (ctx) => {
      const data = { toJSON: () => Object(1n) };
      throw ctx.error('ODD', 'odd', { data });
    },
  };
  for (const [action, handler] of Object.entries(handlers)) toolkit.action({ action, actionDescription: action }, handler);
  const socket = await running(service, toolkit);
  const fail = async (action: string) => (await socket.call(`inv_${action}`, action)).error;

  const noCity = { code: 'NO_CITY', message: 'No such city', data: { limit: '5' }, retryable: true, retryAfterMs: 500 };
  expect(await fail('throws')).toEqual({ code: -32000, message: 'No such city', data: noCity });
  expect(await fail('returns')).toEqual({ code: -32000, message: 'No such city', data: noCity });
  const threw = { code: 'HANDLER_THREW', message: 'x is not a function' };
  expect(await fail('plain')).toEqual({ code: -32000, message: threw.message, data: threw });
  expect(await fail('text')).toMatchObject({ data: { code: 'HANDLER_THREW', message: 'only text' } });
  expect(await fail('hostile')).toMatchObject({ data: { code: 'HANDLER_THREW', message: 'The handler threw a value that has no text' } });
  expect(await fail('hostile_data')).toMatchObject({ data: { code: 'INVALID_RESULT' } });
});

test('an unknown action, an unknown request and a bad invoke are answered', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const socket = await running(service, toolkit);

  expect((await socket.call('inv_1', '__proto__')).error).toMatchObject({ code: -32000, data: { code: 'ACTION_NOT_FOUND' } });
  socket.send({ id: 9, method: 'reboot', params: {} });
  expect((await socket.frame(({ id }) => id === 9)).error).toMatchObject({ code: -32601 });
  socket.send({ id: 'inv_2', method: 'invoke', params: { action: 7 } });
  expect((await socket.frame(({ id }) => id === 'inv_2')).error).toMatchObject({ code: -32602 });
});

test('no more than `concurrency` handlers run at a time, the rest in order', async () => {
  const service = await startService();
  const toolkit = newToolkit(service, { concurrency: 2 });
  const gates = new Map<string, () => void>();
  toolkit.action(today, async ({ invocationId }) => {
    const { open, opened } = gate();
    gates.set(invocationId, open);
    await opened;
  });
  const socket = await running(service, toolkit);

  for (const id of ['inv_1', 'inv_2', 'inv_3', 'inv_4']) socket.invoke(id, 'today');
  await until(() => gates.size === 2);
  expect((await socket.call('inv_unknown', 'nope')).error).toBeDefined();
  expect([...gates.keys()]).toEqual(['inv_1', 'inv_2']);
  gates.get('inv_2')?.();
  await until(() => gates.has('inv_3'));
  expect(gates.has('inv_4')).toBe(false);
  for (const id of ['inv_1', 'inv_3']) gates.get(id)?.();
  await until(() => gates.has('inv_4'));
  gates.get('inv_4')?.();
  await socket.frame(({ id }) => id === 'inv_4');
});

test('an invocation that is cancelled or expires before its turn is answered and never runs', async () => {
  const service = await startService();
  const toolkit = newToolkit(service, { concurrency: 1 });
  const first = gate();
  const ran: string[] = [];
  toolkit.action(today, async ({ invocationId }) => {
    ran.push(invocationId);
    await first.opened;
  });
  const socket = await running(service, toolkit);

  socket.invoke('inv_1', 'today');
  socket.invoke('inv_2', 'today');
  socket.invoke('inv_3', 'today', {}, 0);
  socket.cancel('inv_2');
  expect((await socket.frame(({ id }) => id === 'inv_2')).error?.data?.code).toBe('INVOCATION_CANCELLED');
  first.open();
  expect((await socket.frame(({ id }) => id === 'inv_3')).error?.data?.code).toBe('INVOCATION_TIMEOUT');
  expect(ran).toEqual(['inv_1']);
});

test("a cancel frame aborts the signal, and the handler's outcome is the answer", async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const untilAborted = ({ signal }: ActionContext) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.name)));
  toolkit.action(today, untilAborted);
  const late = gate();
  toolkit.action({ ...today, action: 'looks_late' }, async (ctx) => {
    await late.opened;
    return ctx.signal.aborted;
  });
  const socket = await running(service, toolkit);

  socket.invoke('inv_1', 'today');
  socket.cancel('inv_1');
  expect((await socket.frame(({ id }) => id === 'inv_1')).result).toBe('AbortError');
  socket.invoke('inv_2', 'today');
  socket.cancel('inv_2', 'timeout');
  expect((await socket.frame(({ id }) => id === 'inv_2')).result).toBe('TimeoutError');
  socket.invoke('inv_3', 'looks_late');
  socket.cancel('inv_3');
  socket.cancel('inv_nobody');
  expect((await socket.call('inv_4', 'today', {}, 5)).result).toBe('TimeoutError');
  late.open();
  expect((await socket.frame(({ id }) => id === 'inv_3')).result).toBe(true);
});

test('progress reaches the service while the handler runs, and not after it', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  let kept: ActionContext | undefined;
  toolkit.action(today, ({ progress, ...rest }) => {
    progress({ progress: 1, total: 2, message: 'm'.repeat(2_000) });
    progress({ progress: Number.NaN });
    progress({ progress: 2 });
    kept = { progress, ...rest } as ActionContext;
  });
  const socket = await running(service, toolkit);

  await socket.call('inv_1', 'today');
  kept?.progress({ progress: 3 });
  await socket.call('inv_2', 'nope');
  expect(socket.of('progress').map(({ params }) => params)).toEqual([
    { invocationId: 'inv_1', progress: 1, total: 2, message: 'm'.repeat(1_000) },
    { invocationId: 'inv_1', progress: 2 },
  ]);
});

test('a report of progress without a number is dropped with a line to `onWarning`, and changes nothing else', async () => {
  const service = await startService();
  const warnings: CallWarning[] = [];
  const toolkit = newToolkit(service, { onWarning: (warning) => warnings.push(warning) });
  const wrong: unknown[][] = [[1, { total: 5 }], [], [null], [{ progress: Number.NaN }], [{ progress: '1' }]];
  toolkit.action(today, ({ progress }) => {
    for (const given of wrong) Reflect.apply(progress, undefined, given);
    return 'done';
  });
  const socket = await running(service, toolkit);

  expect((await socket.call('inv_1', 'today')).result).toBe('done');
  expect(socket.of('progress')).toEqual([]);
  const message = 'A report of progress was dropped: give an object with a number, such as ctx.progress({ progress: 1, total: 5 })';
  await vi.waitFor(() => expect(warnings).toEqual(wrong.map(() => ({ invocationId: 'inv_1', message }))));
});

test('actions added while it runs are registered on the same socket, once for all of one turn', async () => {
  const service = await startService();
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  const socket = await running(service, toolkit);

  toolkit.action({ ...today, action: 'a' }, () => 'a');
  toolkit.action({ ...today, action: 'b' }, () => 'b');
  await until(() => statuses.at(-1)?.state === 'connected' && statuses.length === 3);
  expect(socket.of('register').map(({ params }) => params.actions.length)).toEqual([0, 2]);
  expect(statuses.at(-1)).toMatchObject({ accepted: ['test__a', 'test__b'], rejected: [] });
  expect((await socket.call('inv_1', 'b')).result).toBe('b');

  service.respond.register = () => ({
    error: { code: -32000, message: 'Too many', data: { code: 'INVALID_ACTION', message: 'Too many' } },
  });
  toolkit.action({ ...today, action: 'c' }, () => 'c');
  await until(() => statuses.length === 4);
  expect(statuses.at(-1)).toMatchObject({ state: 'connected', accepted: ['test__a', 'test__b'], refused: { code: 'INVALID_ACTION' } });
  expect((await socket.call('inv_2', 'a')).result).toBe('a');
});

test("updateToolkit settles with the service's answer", async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const socket = await running(service, toolkit);

  await toolkit.updateToolkit({ name: 'Weather' });
  expect(socket.of('update').map(({ params }) => params)).toEqual([{ name: 'Weather' }]);
  service.respond.update = () => ({ error: { code: -32000, message: 'Too long', data: { code: 'INVALID_REQUEST', message: 'Too long' } } });
  await expect(toolkit.updateToolkit({ name: 'x'.repeat(99) })).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: 'Too long' });
});

test('an onStatus that throws, rejects or stops does not affect the connection', async () => {
  const service = await startService();
  const throwing = newToolkit(service, {
    onStatus: () => {
      throw new Error('mine');
    },
  });
  await running(service, throwing);
  const rejecting = newToolkit(service, { onStatus: () => Promise.reject(new Error('mine')) });
  rejecting.run();
  await rejecting.ready;
  const stopping = newToolkit(service, { onStatus: () => void stopping.stop() });
  await stopping.run();
  await expect(stopping.ready).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});

test('frames of one turn leave in order and none is lost', async () => {
  const service = await startService();
  const toolkit = newToolkit(service, { concurrency: 1_000 });
  toolkit.action(today, async (_ctx, { n }) => n);
  const socket = await running(service, toolkit);

  for (let n = 0; n < 500; n++) socket.invoke(`inv_${n}`, 'today', { n });
  await until(() => socket.frames.filter(({ result }) => typeof result === 'number').length === 500);
  const results = socket.frames.flatMap(({ result }) => (typeof result === 'number' ? [result] : []));
  expect(results).toEqual(Array.from({ length: 500 }, (_, n) => n));
  // More than 256 unconfirmed results trigger an early heartbeat.
  await until(() => socket.of('heartbeat').length > 0);
});

test('a result that cannot be serialised or is too large becomes an error with the reason', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action({ ...today, action: 'hostile' }, () => ({
    get boom() {
      throw new Error('boom');
    },
  }));
  toolkit.action({ ...today, action: 'large' }, () => 'é'.repeat(5 * 1024 * 1024));
  toolkit.action({ ...today, action: 'large_error' }, ({ error }) => error('NO_LUCK', 'Too much', { data: 'é'.repeat(5 * 1024 * 1024) }));
  const socket = await running(service, toolkit);

  expect((await socket.call('inv_1', 'hostile')).error?.data).toMatchObject({
    code: 'INVALID_RESULT',
    message: expect.stringContaining('boom'),
  });
  expect((await socket.call('inv_2', 'large')).error?.data).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  expect((await socket.call('inv_3', 'large_error')).error?.data).toEqual({ code: 'INVALID_RESULT', message: 'Too much' });
});

test('nothing is printed', async () => {
  const write = vi.spyOn(process.stdout, 'write');
  const writeError = vi.spyOn(process.stderr, 'write');
  const service = await startService();
  const toolkit = newToolkit(service);
  await running(service, toolkit);
  await toolkit.stop();
  expect(write).not.toHaveBeenCalled();
  expect(writeError).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
