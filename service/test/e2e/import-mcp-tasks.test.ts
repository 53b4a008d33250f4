/** MCP servers that answer a call with a task: a real service, and servers of both revisions that have tasks. */
import { fileURLToPath } from 'node:url';
import type { Progress, Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../../../test/support/service';
import type { McpConfig } from '../../import/mcp/config';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';
import { openMcp } from '../../import/mcp/open-mcp';
import { heldConnection } from '../support/connections/held-connection';
import { startTaskServer } from '../support/extension-task-server';
import { context } from '../unit/import/context';

const SERVER = fileURLToPath(new URL('../support/task-mcp-server.mjs', import.meta.url));
const earlier = { command: process.execPath, args: [SERVER] };

async function serve(server: McpConfig): Promise<Tools> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'tasks' });
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: service.url, apiKey: key }, toolkitId: 'tasks', server });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  return service.tools();
}

const failure = (code: string, message: string) => ({
  code: 'ACTION_FAILED',
  details: { cause: { code, message: expect.stringContaining(message) } },
});

test('2025-11-25: a task is polled until it ends, with its messages or its progress, and its result', async () => {
  const tools = await serve(earlier);
  const reportsOf = async (does: object) => {
    const reports: Progress[] = [];
    const onProgress = (report: Progress) => void reports.push(report);
    expect((await tools.invoke('tasks__research', { end: 'done', ...does }, { onProgress })).result).toEqual({ found: 3 });
    return reports;
  };
  expect(await reportsOf({ says: ['reading', 'writing'] })).toEqual([
    { progress: 1, message: 'reading' },
    { progress: 2, message: 'writing' },
  ]);
  expect(await reportsOf({ progress: 2 })).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
});

test('2025-11-25: a task ends its call with the reason, and the end of a call cancels its task', async () => {
  const tools = await serve(earlier);
  await expect(tools.invoke('tasks__research', { end: 'failed' })).rejects.toMatchObject(failure('TOOL_ERROR', 'No such topic'));
  await expect(tools.invoke('tasks__research', { end: 'cancelled' })).rejects.toMatchObject(failure('TOOL_ERROR', 'stopped for the night'));
  expect((await tools.invoke('tasks__research', { end: 'asks' })).result).toBe('refused: MCP error -32601: Method not found');

  const cancelling = new AbortController();
  const onProgress = () => cancelling.abort();
  await expect(
    tools.invoke('tasks__research', { end: 'never', says: ['reading'] }, { signal: cancelling.signal, onProgress }),
  ).rejects.toThrow();
  await vi.waitFor(async () => expect((await tools.invoke('tasks__last')).result).toMatchObject({ status: 'cancelled' }));
});

test('a tool that its server runs as a task is long, and another one is not', async () => {
  const source = openMcp(earlier);
  onTestFinished(() => source.close());
  const long = Object.fromEntries((await source.listActions()).map((action) => [action.action, action.long]));
  expect(long).toEqual({ research: true, last: undefined });
});

test('2026-07-28: a task of the extension is polled until it has a result', async () => {
  const content = [{ type: 'text', text: 'found' }];
  const server = await startTaskServer([
    { statusMessage: 'reading' },
    { status: 'completed', result: { content, structuredContent: { found: 3 } } },
  ]);
  const tools = await serve({ url: server.url });
  const reports: Progress[] = [];
  const { result } = await tools.invoke('tasks__research', {}, { onProgress: (report) => void reports.push(report) });
  expect(result).toEqual({ found: 3 });
  expect(reports).toEqual([{ progress: 1, message: 'reading' }]);
});

test('2026-07-28: a look at the task that fails is repeated', async () => {
  const server = await startTaskServer([{ status: 'completed', result: { content: [{ type: 'text', text: 'found' }] } }]);
  const tools = await serve({ url: server.url });
  const answers = [503, 503];
  server.refuse = () => answers.pop();
  expect((await tools.invoke('tasks__research')).result).toBe('found');
});

test('2026-07-28: a token that ends during a task is renewed, and the task goes on', async () => {
  const server = await startTaskServer([{ status: 'completed', result: { content: [{ type: 'text', text: 'found' }] } }]);
  const source = openMcp({ url: server.url, auth: 'user' }, { listToken: 'operator' });
  onTestFinished(() => source.close());
  const [action] = await source.listActions();
  server.refuse = (token) => (token === 'Bearer second' ? undefined : 401);
  const held = heldConnection({ type: 'bearer', token: 'first', id: 'con' }, { type: 'bearer', token: 'second', id: 'con' });
  const ctx = context(AbortSignal.timeout(30_000), { connection: held.connection, progress: () => {} });
  expect([await action?.handler(ctx, {}), held.renewals]).toEqual(['found', 1]);
});

test.each([
  [{ status: 'failed', error: { code: -32_603, message: 'The library is closed' } }, 'TOOL_ERROR', 'The library is closed', false],
  [{ status: 'cancelled' }, 'TOOL_ERROR', 'cancelled', false],
  [{ status: 'completed', result: { content: 3 } }, 'TOOL_ERROR', 'not MCP', false],
  [
    {
      status: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: { mode: 'url', message: 'Pay', url: 'https://pay.example/1' } } },
    },
    'LINK_REQUIRED',
    'https://pay.example/1',
    true,
  ],
  [
    {
      status: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: {} } } },
    },
    'TOOL_ERROR',
    'asks for input',
    true,
  ],
])('2026-07-28: a task that ends without a result fails its call: %j', async (state, code, message, isCancelled) => {
  const server = await startTaskServer([state]);
  const tools = await serve({ url: server.url });
  await expect(tools.invoke('tasks__research')).rejects.toMatchObject(failure(code, message));
  if (isCancelled) await vi.waitFor(() => expect(server.methods).toContain('tasks/cancel'));
});

test('2026-07-28: a cancelled call cancels its task', async () => {
  const server = await startTaskServer([{}]);
  const tools = await serve({ url: server.url });
  const cancelling = new AbortController();
  const call = tools.invoke('tasks__research', {}, { signal: cancelling.signal });
  await vi.waitFor(() => expect(server.methods).toContain('tasks/get'));
  cancelling.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(server.methods).toContain('tasks/cancel'));
});
