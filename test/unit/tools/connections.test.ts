import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { type CallToolOptions, Tools, type ToolsOptions } from '../../../src/index';
import { KEY, sendJson, sendPage, sendProblem, sendResult, toolCall, wireServer } from './wire-server';

const TOKEN = 'tok-canary-1';
const LINK = { toolkit: 'github', url: 'https://svc.example/connections/connect/canary-link', expiresAt: '2026-11-27T10:00:00Z' };
const list = (id: string, n: number) => toolCall(id, 'invoke_service', { action: 'github__list', payload: { n } }) as never;

test('a fetch that fails with the whole request leaves no credential in the error', async () => {
  const fetch: ToolsOptions['fetch'] = async (_url, { headers }) => {
    const error = new TypeError(`fetch failed: ${JSON.stringify(headers)}`, { cause: { headers } });
    throw Object.assign(error, { headers });
  };
  const tools = new Tools({ apiKey: KEY, baseUrl: 'http://127.0.0.1:1', fetch, timeoutMs: 1 });
  for (const connection of [{ bearer: TOKEN }, { apiKey: TOKEN }, { basic: { username: 'ada', password: TOKEN } }]) {
    const error = await tools.invoke('github__list', {}, { connection }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('github ') });
    const shown = inspect(error, { depth: null, showHidden: true });
    for (const secret of [TOKEN, KEY, btoa(`ada:${TOKEN}`)]) expect(shown).not.toContain(secret);
    expect((error as Error).cause).toBeUndefined();
  }
});

test('a key that is the user name of Basic is hidden too', async () => {
  const service = await wireServer((response) => sendProblem(response, 'ACTION_FAILED', `${TOKEN} is unknown`));
  const call = service.tools().invoke('shop__list', {}, { connection: { basic: { username: TOKEN, password: '' } } });
  await expect(call).rejects.toMatchObject({ message: '[connection] is unknown' });
});

test('a stream that ends with an error hides the credential', async () => {
  const service = await wireServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const problem = { code: 'ACTION_FAILED', detail: `${TOKEN} is unknown`, retryable: false };
    response.end(`event: error\ndata: ${JSON.stringify(problem)}\n\n`);
  });
  const call = service.tools().invoke('github__list', {}, { connection: { bearer: TOKEN }, onProgress: () => {} });
  await expect(call).rejects.toMatchObject({ code: 'ACTION_FAILED', message: '[connection] is unknown' });
});

test('a redirect is not followed with a credential', async () => {
  const elsewhere = await wireServer((response) => sendResult(response, 'stolen'));
  const service = await wireServer((response) => response.writeHead(307, { location: `${elsewhere.baseUrl}/v1/invoke` }).end());
  const call = service.tools().invoke('github__list', {}, { connection: { bearer: TOKEN } });
  await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('redirects') });
  expect(service.requests[0]?.headers['svc-connections']).toBe(`github Bearer ${TOKEN}`);
  expect(elsewhere.requests).toEqual([]);
});

test('a try that is made again has the same credential and idempotency key', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const service = await wireServer((response, _request, count) => (count === 1 ? sendPage(response, 503) : sendResult(response, 1)));
  await service.tools().invoke('github__list', {}, { connection: { bearer: TOKEN } });
  const sent = service.requests.map(({ headers }) => [headers['svc-connections'], headers['idempotency-key']]);
  expect(sent[1]).toEqual(sent[0]);
  vi.restoreAllMocks();
});

test('calls side by side ask the user once, and the next calls ask again', async () => {
  const answers = new Map<string, number>();
  const service = await wireServer((response, { body }) => {
    const call = JSON.stringify(body);
    answers.set(call, (answers.get(call) ?? 0) + 1);
    if (answers.get(call) === 1) sendProblem(response, 'CONNECTION_REQUIRED', 'Connect', { connect: LINK });
    else sendResult(response, call);
  });
  let expected = 3;
  const onConnectionRequired = vi.fn(async () => {
    await vi.waitFor(() => expect(service.requests).toHaveLength(expected));
    return true;
  });
  const tools = service.tools({ userId: 'ada', onConnectionRequired });
  await tools.callTools([list('a', 1), list('b', 2), list('c', 3)]);
  expect(onConnectionRequired.mock.calls).toEqual([[{ ...LINK, userId: 'ada' }]]);
  expected = 8;
  await Promise.all([tools.callTool('github__list', { n: 4 }), tools.callTool('github__list', { n: 5 })]);
  expect(onConnectionRequired).toHaveBeenCalledTimes(2);
  expect(service.requests).toHaveLength(10);
});

test('an aborted call does not wait for its user', async () => {
  const service = await wireServer((response) => sendProblem(response, 'CONNECTION_REQUIRED', 'Connect', { connect: LINK }));
  const asked = Promise.withResolvers<void>();
  const tools = service.tools({
    onConnectionRequired() {
      asked.resolve();
      return new Promise<void>(() => {});
    },
  });
  const abort = new AbortController();
  const call = tools.invoke('github__list', {}, { signal: abort.signal });
  await asked.promise;
  abort.abort(new Error('The user left'));
  await expect(call).rejects.toThrow('The user left');
});

test.each([
  ['connections', { toolkit: 'github' }],
  ['onConnectionRequired', LINK],
])('%s that fails answers the call, and the model does not read the reason', async (option, connect) => {
  const service = await wireServer((response) => sendProblem(response, 'CONNECTION_REQUIRED', 'Connect', { connect }));
  const reason = new Error(`The token store of ${TOKEN} is down`);
  const tools = service.tools({ [option]: () => Promise.reject(reason) });
  const [message] = await tools.callTools([list('a', 1)]);
  expect(JSON.parse(message?.content ?? '')).toEqual({
    error: {
      code: 'CONNECTION_REQUIRED',
      message: `The application could not connect an account of "github": ${option} failed`,
      retryable: false,
    },
  });
  await expect(tools.invoke('github__list')).rejects.toMatchObject({ cause: reason });
});

test('a view of a subclass keeps its methods, and its calls are those of its user', async () => {
  const asked: string[] = [];
  class AskingTools extends Tools {
    override async callTool(name: string, input: unknown, options?: CallToolOptions): Promise<unknown> {
      asked.push(name);
      return super.callTool(name, input, options);
    }
  }
  const service = await wireServer((response) => sendResult(response, 1));
  const tools = new AskingTools({ apiKey: KEY, baseUrl: service.baseUrl, userId: 'ada' });
  const view = tools.for({ userId: 'bob' });
  expect(view).toBeInstanceOf(AskingTools);
  await Promise.all([view.callTools([list('a', 1)]), tools.callTools([list('a', 2)])]);
  expect(asked).toEqual(['invoke_service', 'invoke_service']);
  const users = service.requests.map(({ headers, body }) => [headers['svc-user-id'], (body as { payload: { n: number } }).payload.n]);
  expect(Object.fromEntries(users)).toEqual({ bob: 1, ada: 2 });
});

test('a view of a view, and a view that changes only the session', async () => {
  const service = await wireServer((response) => sendResult(response, 1));
  const tools = service.tools({ userId: 'ada', sessionId: 's1' });
  await tools.for({ userId: 'bob' }).for({ sessionId: 's2', userId: undefined }).invoke('github__list');
  expect(service.requests[0]?.headers).toMatchObject({ 'svc-user-id': 'bob', 'svc-session-id': 's2' });
  expect(() => tools.for({ userId: 'two words' })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});

test.each<[string, object]>([
  ['connections is a function', { connections: { github: { bearer: TOKEN } } }],
  ['onConnectionRequired is a function', { onConnectionRequired: true }],
])('%s, or the client is refused', (message, options) => {
  expect(() => new Tools({ apiKey: KEY, ...options })).toThrow(message);
});

test('a credential for a call whose toolkit is unknown is refused', async () => {
  const service = await wireServer((response) => sendJson(response, {}));
  const call = service.tools().invoke('no action id', {}, { connection: { bearer: TOKEN } });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('need an action id') });
  expect(service.requests).toEqual([]);
});

test('a print of a client shows neither key nor credential', () => {
  const connections = () => ({ bearer: TOKEN });
  const tools = new Tools({ apiKey: KEY, connections });
  expect(inspect([tools, tools.for({ userId: 'ada' })], { depth: null, showHidden: true })).not.toMatch(/canary|svc_agent_/);
});
