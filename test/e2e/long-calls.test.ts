/** Models and programs call an action that takes long, through a real service. */
import { type ActionContext, type Rule, Toolkit, Tools, type ToolsOptions } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startService, toolCall } from '../support/service';

const HOUR_MS = 3_600_000;
/** The rest of a second: the model gets its handle at once. */
const AT_ONCE: ToolsOptions = { timeoutMs: 1_000 };
const render = toolCall('invoke_service', { action: 'video__render', payload: { film: 'M' } });

async function startVideo() {
  const service = await startService();
  const runs: ActionContext[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  await service.toolkit('video', (toolkit) =>
    toolkit.action({ action: 'render', actionDescription: 'Renders a film', long: true }, async (ctx) => {
      runs.push(ctx);
      ctx.progress({ progress: 1, total: 2 });
      await Promise.race([ended, new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))]);
      return 'rendered';
    }),
  );
  return { service, runs, end };
}

const read = ([message]: { content: string }[]) => JSON.parse(message?.content ?? '');

test('the model reads a handle in place of a timeout, and then the result', async () => {
  const { service, runs, end } = await startVideo();
  const tools = await service.tools(AT_ONCE);
  const unfinished = read(await tools.callTools([render]));
  expect(unfinished).toMatchObject({
    status: 'running',
    handle: expect.stringMatching(/^inv_/),
    message: expect.stringContaining('svc__read_result'),
  });
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  // The time of the caller is not the deadline of the action.
  expect(runs[0]!.deadline.getTime() - Date.now()).toBeGreaterThan(HOUR_MS);
  const readResult = (wait: number) =>
    tools.callTools([toolCall('invoke_service', { action: 'svc__read_result', payload: { handle: unfinished.handle, wait } })]);
  await vi.waitFor(async () => expect(read(await readResult(0))).toMatchObject({ status: 'running', progress: { progress: 1 } }));
  const later = readResult(30);
  end();
  expect(await later).toMatchObject([{ content: 'rendered' }]);
  expect(runs).toHaveLength(1);
});

test('a program takes the handle at once, with a deadline of its own, and any process with the key reads the result', async () => {
  const { service, runs, end } = await startVideo();
  const { key } = await service.keys.create({ kind: 'agent', name: 'app' });
  const tools = new Tools({ apiKey: key, baseUrl: service.url });
  const options = { wait: false, timeoutMs: 2 * HOUR_MS, idempotencyKey: 'film-1' } as const;
  const started = await tools.invoke('video__render', { film: 'M' }, options);
  expect(started).toMatchObject({ status: 'running' });
  // A retry, as after a crash, gets the same handle.
  expect(await tools.invoke('video__render', { film: 'M' }, options)).toEqual(started);
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  expect(runs[0]!.deadline.getTime() - Date.now()).toBeLessThanOrEqual(2 * HOUR_MS);
  expect(await tools.result(started.invocationId)).toMatchObject({ invocationId: started.invocationId, status: 'running' });
  await expect((await service.tools()).result(started.invocationId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  end();
  const other = new Tools({ apiKey: key, baseUrl: service.url });
  expect(await other.result<string>(started.invocationId, { wait: 30 })).toMatchObject({ result: 'rendered' });
});

test('an abort ends the wait of the model, and cancel ends the call', async () => {
  const { service, runs } = await startVideo();
  const tools = await service.tools();
  const abort = new AbortController();
  const call = tools.callTools([render], { signal: abort.signal, idempotencyKey: 'turn-1' });
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  abort.abort(new Error('The user left'));
  await expect(call).rejects.toThrow('The user left');
  // The same call again finds the one that runs.
  const { invocationId } = await tools.invoke('video__render', { film: 'M' }, { wait: false, idempotencyKey: 'turn-1/0' });
  expect(runs[0]!.signal.aborted).toBe(false);
  await tools.cancel(invocationId);
  await expect(tools.result(invocationId, { wait: 30 })).rejects.toMatchObject({ code: 'INVOCATION_CANCELLED' });
  await vi.waitFor(() => expect(runs[0]!.signal.aborted).toBe(true));
  await tools.cancel(invocationId);
  expect(runs).toHaveLength(1);
});

test('a long action that a person approves gives its handle after the decision, and has its own time', async () => {
  const { service, runs, end } = await startVideo();
  const rules: Rule[] = [{ match: { action: 'video__render' }, do: 'ask', decidedBy: 'app' }];
  const { key } = await service.keys.create({ kind: 'agent', name: 'app', rules });
  const tools = new Tools({ apiKey: key, baseUrl: service.url, ...AT_ONCE, onApprovalRequired: () => 'approve' });
  const { unfinished } = await tools.answerTool('invoke_service', { action: 'video__render', payload: { film: 'M' } });
  expect(unfinished).toMatchObject({ status: 'running' });
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  expect(runs[0]!.deadline.getTime() - Date.now()).toBeGreaterThan(HOUR_MS);
  end();
  expect(await tools.result(unfinished!.invocationId, { wait: 30 })).toMatchObject({ result: 'rendered' });
  expect(runs).toHaveLength(1);
});

test('a credential of the caller stays with its caller: the model waits, and a program reads why', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'disk' });
  const toolkit = new Toolkit({ apiKey: key, baseUrl: service.url });
  await toolkit.updateToolkit({ auth: { type: 'bearer', from: 'caller', help: 'A token' } });
  toolkit.action({ action: 'copy', actionDescription: 'Copies a disk', long: true }, ({ connection }) => connection?.headers());
  toolkit.run().catch(() => {});
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  const tools = await service.tools({ connections: () => ({ bearer: 'token-of-ada' }) });
  const [message] = await tools.callTools([toolCall('invoke_service', { action: 'disk__copy', payload: {} })]);
  expect(message?.content).toContain('Bearer [connection]');
  await expect(tools.invoke('disk__copy', {}, { wait: false })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
