/** Calls at `/mcp` that run for long: tasks for clients that have them, and a handle for the model of any other client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { startService, type TestService } from '../../../test/support/service';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';
import { startApprover } from '../support/approver';
import { McpDoor, MODERN, shortWaits } from '../support/mcp-door';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const RENDER = { name: 'invoke_service', arguments: { action: 'films__render', payload: {} } };
const RENDERED = { structuredContent: { minutes: 90 } };

interface Film {
  end(): void;
  report(): void;
  aborted: boolean;
}

/** A toolkit whose action `render` runs until the test ends it. */
async function startFilms(service?: TestService) {
  const studio = service ?? (await startService());
  const films: Film[] = [];
  await studio.toolkit('films', (toolkit) => {
    const resultDescription = { type: 'object', properties: { minutes: { type: 'number' } }, required: ['minutes'] } as const;
    toolkit.action({ action: 'render', actionDescription: 'Renders a film', resultDescription, long: true }, (ctx) => {
      const film: Film = { end: () => {}, report: () => ctx.progress({ progress: 3, total: 10, message: 'cutting' }), aborted: false };
      films.push(film);
      return new Promise((resolve, reject) => {
        film.end = () => resolve({ minutes: 90 });
        ctx.signal.addEventListener('abort', () => {
          film.aborted = true;
          reject(ctx.signal.reason);
        });
      });
    });
    toolkit.action({ action: 'list', actionDescription: 'Lists the films' }, () => ({ films: films.length }));
  });
  const { key } = await studio.keys.create({ kind: 'agent', name: 'client' });
  return { service: studio, films, key };
}

/** The film that the call renders. */
const started = (films: Film[]) => vi.waitUntil(() => films.at(-1), { timeout: 20_000 });

test('a long call is a task, which is polled until it has the result', async () => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const door = new McpDoor(service, key, {}, TASKS);
  const created = await door.call(RENDER);
  expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 86_400_000, pollIntervalMs: 2_000 });
  const taskId = String(created.taskId);
  expect(taskId).toMatch(/^inv_/);
  expect(Date.parse(String(created.createdAt))).toBeGreaterThan(Date.now() - 600_000);

  const film = await started(films);
  film.report();
  const look = async () => (await door.request('tasks/get', { taskId })).result;
  await vi.waitFor(async () => expect(await look()).toMatchObject({ status: 'working', statusMessage: '3 of 10: cutting' }), 20_000);
  film.end();
  await vi.waitFor(async () => expect(await look()).toMatchObject({ taskId, status: 'completed', result: RENDERED }), 20_000);
  expect(films).toHaveLength(1);
});

test('a call that is not long, or ends in time, is answered as ever', async () => {
  shortWaits({ taskMs: 20_000 });
  const { service, films, key } = await startFilms();
  const door = new McpDoor(service, key, {}, TASKS);
  expect(await door.call({ name: 'invoke_service', arguments: { action: 'films__list' } })).toMatchObject({ resultType: 'complete' });
  const call = door.call(RENDER);
  (await started(films)).end();
  expect(await call).toMatchObject({ resultType: 'complete', ...RENDERED });
});

test('a task that its client cancels aborts the handler', async () => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const door = new McpDoor(service, key, {}, TASKS);
  const taskId = String((await door.call(RENDER)).taskId);
  const film = await started(films);
  expect((await door.request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  await vi.waitFor(() => expect(film.aborted).toBe(true), 20_000);
  await vi.waitFor(async () => expect((await door.request('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' }), 20_000);
});

test('a static tool: the result of its task has the shape of its output schema', async () => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const door = new McpDoor({ url: service.url, query: '?staticActions=films__render' }, key, {}, TASKS);
  const taskId = String((await door.call({ name: 'films__render', arguments: {} })).taskId);
  expect(taskId).toMatch(/^inv_[^/]+\/films__render$/);
  (await started(films)).end();
  const completed = { status: 'completed', result: RENDERED };
  await vi.waitFor(async () => expect((await door.request('tasks/get', { taskId })).result).toMatchObject(completed), 20_000);
});

test('a task of another key, and one that is unknown, is not found', async () => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const taskId = String((await new McpDoor(service, key, {}, TASKS).call(RENDER)).taskId);
  const { key: otherKey } = await service.keys.create({ kind: 'agent', name: 'other' });
  const other = new McpDoor(service, otherKey, {}, TASKS);
  for (const id of [taskId, 'inv_unknown', '', `${taskId}/films__render`])
    for (const method of ['tasks/get', 'tasks/cancel'])
      expect(await other.request(method, { taskId: id })).toMatchObject({ error: { code: -32_602 } });
  expect((await started(films)).aborted).toBe(false);
});

test('a call that waits for a person is a task that asks its user, and runs once when it is approved', async () => {
  shortWaits();
  const { service, films } = await startFilms(await startConsole());
  const approver = await startApprover(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'asked', rules: [{ match: {}, do: 'ask' }] });
  const door = new McpDoor(service, key, {}, { ...TASKS, elicitation: { url: {} } });
  const taskId = String((await door.call(RENDER)).taskId);
  expect(taskId).toMatch(/^apr_/);
  const url = expect.stringMatching(/\/approvals\/apr_/);
  const asked = { status: 'input_required', inputRequests: { approve: { method: 'elicitation/create', params: { mode: 'url', url } } } };
  expect((await door.request('tasks/get', { taskId })).result).toMatchObject(asked);
  const update = { taskId, inputResponses: { approve: { action: 'accept' } } };
  expect((await door.request('tasks/update', update)).result).toMatchObject({ resultType: 'complete' });
  expect(films).toEqual([]);

  await approver.decideNext('approve');
  (await started(films)).end();
  const completed = { status: 'completed', result: RENDERED };
  await vi.waitFor(async () => expect((await door.request('tasks/get', { taskId })).result).toMatchObject(completed), 20_000);
  expect(films).toHaveLength(1);
});

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('a client of %s without tasks: the model reads the handle, and later the result', async (_revision, options) => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  const { structuredContent, isError } = await client.callTool(RENDER);
  expect([isError, structuredContent]).toMatchObject([
    undefined,
    { status: 'running', handle: expect.stringMatching(/^inv_/), message: expect.stringContaining('svc__read_result') },
  ]);
  (await started(films)).end();
  const { handle } = structuredContent as { handle: string };
  const read = { name: 'invoke_service', arguments: { action: 'svc__read_result', payload: { handle, wait: 30 } } };
  expect(await client.callTool(read)).toMatchObject(RENDERED);
});

test('tasks out and in: another service imports /mcp, and its call follows the task', async () => {
  shortWaits();
  const { service, films, key } = await startFilms();
  const second = await startService();
  const { key: apiKey } = await second.keys.create({ kind: 'toolkit', name: 'studio' });
  const server = { url: `${service.url}/mcp?staticActions=films__render`, headers: { authorization: `Bearer ${key}` } };
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: second.url, apiKey }, toolkitId: 'studio', server, long: ['films_render'] });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const tools = await second.tools();
  const call = tools.invoke('studio__films_render');
  (await started(films)).end();
  expect((await call).result).toEqual({ minutes: 90 });
});
