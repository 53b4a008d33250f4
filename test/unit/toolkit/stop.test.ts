import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolkitStatus } from '../../../src/index';
import { type Action, defineAction } from '../../../src/toolkit/action-definition';
import { ToolkitSession, type ToolkitSessionOptions } from '../../../src/toolkit/toolkit-session';
import { gate, KEY, newToolkit, running, startService, until, type WireService } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

/** The session inside a Toolkit, with shorter times. */
function newSession(
  service: WireService,
  times: Partial<Pick<ToolkitSessionOptions, 'deliveryMs' | 'giveUpMs' | 'openMs' | 'random' | 'concurrency'>>,
  actions: Action[] = [],
) {
  const named = new Map(actions.map((action) => [action.name, action]));
  const options = { url: `${service.url}/v1/toolkit`, apiKey: KEY, concurrency: 10, onStatus: undefined, details: {} };
  const session = new ToolkitSession({ ...options, actions: named, ...times });
  void session.start();
  onTestFinished(() => session.stop({ timeoutMs: 0 }));
  return { session, done: session.ended };
}

test('stop drains, waits for handlers, has their results confirmed, and closes with 1000', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, async () => {
    await opened;
    return 'done';
  });
  const done = toolkit.run();
  await toolkit.ready;
  const socket = await service.registeredSocket();
  socket.invoke('inv_1', 'today');
  const stopped = toolkit.stop();
  await socket.frame(({ method }) => method === 'drain');
  expect(socket.closeCode).toBeUndefined();
  open();
  await Promise.all([stopped, done, toolkit.stop()]);

  const after = socket.frames.slice(socket.frames.findIndex(({ method }) => method === 'drain'));
  const [first, second, ...confirming] = after.map(({ id, method }) => method ?? id);
  expect([first, second]).toEqual(['drain', 'inv_1']);
  // The heartbeat after each result may already be open when the stop requests its own.
  expect(new Set(confirming)).toEqual(new Set(['heartbeat']));
  await until(() => socket.closeCode === 1000);
  expect(service.sockets).toHaveLength(1);
});

test('a drain waits for a registration under way, which would undo it', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const socket = await running(service, toolkit);
  const answer = service.registered(socket.frames[0]?.params);
  service.respond.register = () => undefined;
  toolkit.action(today, () => 1);
  await until(() => socket.of('register').length === 2);
  const stopped = toolkit.stop();
  await socket.call('inv_1', 'nope');
  expect(socket.of('drain')).toEqual([]);
  socket.send({ id: socket.of('register')[1]?.id, result: answer });
  await stopped;
  expect(socket.of('drain')).toHaveLength(1);
});

test('stop before run does nothing; run twice gives the same outcome', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  await toolkit.stop();
  await running(service, toolkit);
  const again = toolkit.run();
  await toolkit.stop();
  await again;
  await toolkit.run();
  expect(service.sockets).toHaveLength(1);
});

test('after timeoutMs the signals abort, and handlers that ignore them are answered with an unknown outcome', async () => {
  const service = await startService();
  const { session } = newSession(service, { giveUpMs: 20 }, [
    defineAction({ ...today, action: 'polite' }, ({ signal }) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.message)));
    }),
    defineAction(today, () => new Promise(() => {})),
  ]);
  const socket = await service.registeredSocket();
  socket.invoke('inv_1', 'polite');
  socket.invoke('inv_2', 'today');
  await socket.call('inv_3', 'nope');
  const patient = session.stop({});
  await session.stop({ timeoutMs: 10 });
  await patient;
  expect(socket.frames.find(({ id }) => id === 'inv_1')?.result).toBe('The toolkit stops');
  // The handler may have had its effect, so only the error of an unknown outcome is true.
  expect(socket.frames.find(({ id }) => id === 'inv_2')?.error).toMatchObject({ code: -32001, data: { code: 'OUTCOME_UNKNOWN' } });
});

test('after timeoutMs waiting invocations are answered as not started', async () => {
  const service = await startService();
  const { session } = newSession(service, { giveUpMs: 20, concurrency: 1 }, [defineAction(today, () => new Promise(() => {}))]);
  const socket = await service.registeredSocket();
  socket.invoke('inv_1', 'today');
  socket.invoke('inv_2', 'today');
  await socket.call('inv_3', 'nope');
  await session.stop({ timeoutMs: 10 });
  expect(['inv_1', 'inv_2'].map((id) => socket.frames.find((frame) => frame.id === id)?.error?.data?.code)).toEqual([
    'OUTCOME_UNKNOWN',
    'TOOLKIT_STOPPED',
  ]);
});

test('the last results are confirmed soon, so that stop ends at once when the service has stopped', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const socket = await running(service, toolkit);
  await socket.call('inv_1', 'today');
  await socket.call('inv_2', 'today');
  await socket.frame(({ method }) => method === 'heartbeat');
  // The answer to the heartbeat is handled before later frames.
  await socket.call('inv_x', 'nope');
  expect(socket.of('heartbeat')).toHaveLength(1);
  service.refuse = { status: 500, body: '' };
  socket.webSocket.terminate();
  const before = performance.now();
  await toolkit.stop();
  expect(performance.now() - before).toBeLessThan(1_000);
});

test('stop between two tries ends at once without unconfirmed results', async () => {
  const service = await startService();
  service.refuse = { status: 500, body: '' };
  const statuses: ToolkitStatus[] = [];
  const toolkit = newToolkit(service, { onStatus: (status) => statuses.push(status) });
  const done = toolkit.run();
  await until(() => statuses.at(-1)?.state === 'disconnected');
  await toolkit.stop();
  await done;
  await expect(toolkit.ready).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});

test('stop without a connection reconnects, delivers and drains', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  toolkit.action(today, async () => {
    await opened;
    return 'kept';
  });
  const first = await running(service, toolkit);
  first.invoke('inv_1', 'today');
  await first.call('inv_x', 'nope');
  first.webSocket.terminate();
  const stopped = toolkit.stop();
  const second = await service.registeredSocket(1);
  await second.frame(({ method }) => method === 'drain');
  open();
  await stopped;
  expect(second.of('result').map(({ params }) => params)).toEqual([{ invocationId: 'inv_1', result: 'kept' }]);
});

test('undeliverable results delay stop only for a limited time', async () => {
  const service = await startService();
  const { session, done } = newSession(service, { deliveryMs: 30 }, [defineAction(today, () => 'lost')]);
  const socket = await service.registeredSocket();
  await session.ready;
  await socket.call('inv_1', 'today');
  service.refuse = { status: 500, body: '' };
  socket.webSocket.terminate();
  await until(() => socket.closeCode);
  await session.stop({});
  await done;
});

test('a service that never answers the drain delays stop only for a limited time', async () => {
  const service = await startService();
  service.respond.drain = () => undefined;
  const { session, done } = newSession(service, { deliveryMs: 30 });
  await session.ready;
  await session.stop({});
  await done;
});

test('a registration without an answer is retried', async () => {
  const service = await startService();
  service.respond.register = () => undefined;
  newSession(service, { openMs: 30, random: () => 0 });
  await service.registeredSocket(1);
});

test('after stop the process exits', async () => {
  const service = await startService();
  const source = new URL('../../../src/toolkit/toolkit.ts', import.meta.url);
  const script = `
    import { build } from 'esbuild';
    import { createRequire } from 'node:module';
    const { outputFiles } = await build({ entryPoints: [${JSON.stringify(source.pathname)}], bundle: true, format: 'cjs', platform: 'node', external: ['ws'], write: false });
    const module = { exports: {} };
    new Function('require', 'module', 'exports', outputFiles[0].text)(createRequire(${JSON.stringify(source.pathname)}), module, module.exports);
    const toolkit = new module.exports.Toolkit({ apiKey: '${KEY}', baseUrl: '${service.url}' });
    toolkit.action({ action: 'today', actionDescription: 'x' }, ({ signal }) => ({ aborted: signal.aborted }));
    const done = toolkit.run();
    await toolkit.ready;
    process.on('SIGTERM', () => toolkit.stop({ timeoutMs: 60_000 }));
    await done;
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const socket = await until(() => service.sockets[0]);
  await socket.frame(({ method }) => method === 'register');
  expect((await socket.call('inv_1', 'today')).result).toEqual({ aborted: false });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  await until(() => socket.closeCode === 1000);
});
