import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError, Toolkit, type ToolkitStatus } from '../../../src/index';
import type { RegisterParams } from '../../../src/protocol/frames';
import { KEY, newToolkit, running, startService, until } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

test('a key refused with 401 or 403 ends run() and ready with the error of the problem document', async () => {
  const service = await startService();
  const problem = new SvcError('KEY_EXPIRED', 'The key key_1 expired yesterday').toProblem();
  service.refuse = { status: 401, body: JSON.stringify(problem) };
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  const error = await toolkit.run().catch((reason) => reason);
  expect(error).toMatchObject({ code: 'KEY_EXPIRED', message: 'The key key_1 expired yesterday' });
  await expect(toolkit.ready).rejects.toBe(error);
  await expect(toolkit.run()).rejects.toBe(error);
  await expect(toolkit.updateToolkit({ name: 'Late' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await toolkit.stop();
  expect(statuses).toEqual([{ state: 'connecting' }, { state: 'stopped', reason: error }]);

  service.refuse = { status: 403, body: 'Forbidden by the proxy', contentType: 'text/plain' };
  const message = expect.stringContaining('answered 403 Forbidden by the proxy');
  await expect(newToolkit(service).run()).rejects.toMatchObject({ code: 'INVALID_KEY', message });
});

test('a connection closed with 4401 ends run() with the code of the reason, aborts handlers, and is not tried again', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  let signal: AbortSignal | undefined;
  toolkit.action(today, (ctx) => {
    signal = ctx.signal;
    return new Promise(() => {});
  });
  const done = expect(toolkit.run()).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  const socket = await service.registeredSocket();
  socket.invoke('inv_1', 'today');
  await until(() => signal);
  socket.webSocket.close(4401, 'KEY_REVOKED');
  await done;
  expect(signal?.aborted).toBe(true);
  expect(service.sockets).toHaveLength(1);
  await toolkit.ready;
});

test('rejected actions at the first registration end run() with all of them listed', async () => {
  const service = await startService();
  const rejected = [
    { action: 'a', message: 'its description is empty' },
    { action: 'b', message: 'its schema has a foreign $ref' },
  ];
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { accepted: [], rejected });
  const toolkit = newToolkit(service);
  const error: SvcError = await toolkit.run().catch((reason) => reason);
  expect(error.code).toBe('INVALID_ACTION');
  expect(error.message).toContain('"a": its description is empty; "b": its schema has a foreign $ref');
  expect(service.sockets[0]?.closeCode).toBe(1000);
});

test('with onRejected skip, the other actions are served and the rejected ones are reported', async () => {
  const service = await startService();
  const rejected = [{ action: 'b', message: 'its schema has a foreign $ref' }];
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { accepted: ['test__today'], rejected });
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onRejected: 'skip', onStatus: (status) => statuses.push(status) });
  toolkit.action(today, () => 'sunny');
  const socket = await running(service, toolkit);
  expect((await socket.call('inv_1', 'today')).result).toBe('sunny');
  await until(() => statuses.find((status) => status.state === 'connected'));
  expect(statuses.at(-1)).toMatchObject({ state: 'connected', accepted: ['test__today'], rejected });
});

test('with onRejected skip and no onStatus, stderr has one line for each rejected action, once', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const service = await startService();
  const rejected = [{ action: 'b', message: 'its schema has a foreign $ref' }];
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams, { rejected });
  const toolkit = newToolkit(service, { onRejected: 'skip' });
  toolkit.action(today, () => 'sunny');
  const socket = await running(service, toolkit);
  toolkit.action({ ...today, action: 'later' }, () => 'rainy');
  await until(() => socket.of('register').length === 2);
  expect((await socket.call('inv_1', 'later')).result).toBe('rainy');
  // Files of a worker share stderr: a toolkit of another test may write to it too.
  const lines = written.mock.calls.filter(([line]) => String(line).includes('rejected'));
  expect(lines).toEqual([['svc-sdk: action "b" was rejected and is skipped: its schema has a foreign $ref\n']]);
});

test('any other onRejected is refused', () => {
  expect(() => new Toolkit({ apiKey: KEY, onRejected: 'ignore' as 'skip' })).toThrow('onRejected is "fail" or "skip", not "ignore"');
});

test('a middleware that is not a function is refused, and so is its old name', () => {
  expect(() => new Toolkit({ apiKey: KEY, middleware: 'trace' as never })).toThrow('middleware is a function: `(ctx, next) => next()`');
  const renamed = { apiKey: KEY, around: async (_ctx: unknown, next: () => Promise<unknown>) => next() };
  expect(() => new Toolkit(renamed)).toThrow('around is now called middleware');
});

test('a first registration that is refused permanently ends run(); a temporary refusal is retried', async () => {
  const service = await startService();
  const data = { code: 'INVALID_ACTION', message: 'More than 1000 actions' };
  service.respond.register = () => ({ error: { code: -32000, message: data.message, data } });
  await expect(newToolkit(service).run()).rejects.toMatchObject(data);
  service.respond.register = () => ({ error: { code: -32600, message: 'What?' } });
  await expect(newToolkit(service).run()).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: 'What?' });

  const stopping = { code: 'SERVICE_STOPPING', message: 'Stopping' };
  service.respond.register = () => ({ error: { code: -32000, message: 'Stopping', data: stopping } });
  const patient = newToolkit(service);
  patient.run();
  await until(() => service.sockets[2]?.closeCode);
  service.respond.register = (params) => service.registered(params as unknown as RegisterParams);
  await expect(patient.ready).resolves.toMatchObject({ accepted: [] });
});

test("a registration above the service's size limit ends run()", async () => {
  const service = await startService();
  service.respond.register = (_params, socket) => void socket.webSocket.close(1009);
  await expect(newToolkit(service).run()).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' });
});

test('`ready` need not be awaited', async () => {
  const service = await startService();
  service.refuse = { status: 401, body: '' };
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  await expect(newToolkit(service).run()).rejects.toMatchObject({ code: 'INVALID_KEY' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listener);
  expect(unhandled).toEqual([]);
});

test('two toolkits in one process are independent', async () => {
  const service = await startService();
  const [one, two] = [newToolkit(service), newToolkit(service)];
  one.action(today, () => 1);
  two.action(today, () => 2);
  const first = await running(service, one);
  await running(service, two);
  const second = await service.registeredSocket(1);
  expect(second.frames[0]?.params.instance).not.toBe(first.frames[0]?.params.instance);
  expect((await first.call('inv_1', 'today')).result).toBe(1);
  expect((await second.call('inv_1', 'today')).result).toBe(2);
});

test('the constructor refuses invalid options, without the key in the message', () => {
  const attempt = (options: object) => {
    try {
      new Toolkit(options);
    } catch (error) {
      return error as SvcError;
    }
    throw new Error('accepted');
  };
  expect(attempt({ apiKey: '' }).code).toBe('INVALID_KEY');
  expect(attempt({ apiKey: KEY.replace('toolkit', 'agent') })).toMatchObject({
    code: 'WRONG_KEY_KIND',
    message: expect.stringContaining('agent key'),
  });
  for (const apiKey of [`${KEY}\n`, 'sk-123', 7]) {
    const { code, message } = attempt({ apiKey });
    expect(code).toBe('INVALID_KEY');
    expect(message).not.toContain(String(apiKey));
  }
  for (const baseUrl of ['localhost:8787', 'ws://x', 'ftp://x', '', 'http://user:secret@x']) {
    const { code, message } = attempt({ apiKey: KEY, baseUrl });
    expect(code).toBe('INVALID_REQUEST');
    expect(message).not.toContain('secret');
  }
  for (const concurrency of [0, -1, 1.5, Number.NaN, 10_001, '5'])
    expect(attempt({ apiKey: KEY, concurrency }).code).toBe('INVALID_REQUEST');
  expect(attempt({ apiKey: KEY, onStatus: 'log' }).code).toBe('INVALID_REQUEST');
});

test('toolkit details that are not texts are refused', async () => {
  const toolkit = new Toolkit({ apiKey: KEY });
  await expect(toolkit.updateToolkit({ name: ' ' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(toolkit.updateToolkit({ description: 7 as unknown as string })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('an error of the service has no key and no terminal codes, from any source', async () => {
  const service = await startService();
  const key = 'svc_toolkit_0123456789abcdefghijABCDEFGHIJ0123456789abcdefg';
  const said = `bad \x1b[31m${key}\u202e`;
  service.refuse = { status: 403, body: said, contentType: 'text/plain' };
  await expect(newToolkit(service).run()).rejects.toMatchObject({ message: expect.stringMatching(/answered 403 bad svc_toolkit_…$/) });
  service.refuse = undefined;
  const closed = newToolkit(service);
  closed.action(today, () => 1);
  const refused = expect(closed.run()).rejects.toMatchObject({
    message: expect.stringContaining('closed the connection: bad svc_toolkit_…;'),
  });
  (await service.registeredSocket()).webSocket.close(4401, said);
  await refused;
});
