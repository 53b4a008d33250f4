/** MCP servers whose calls act with the account of a connection: one session for each, at the SDK's server with tokens of a real provider. */
import type { ActionContext, Progress } from 'svc-sdk';
import { type ConnectionChoice, pinsOf } from 'svc-service/import';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FrameConnection } from '#sdk/protocol/connections';
import { startService } from '../../../test/support/service';
import type { HttpConfig, ServerLog } from '../../import/mcp/config';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';
import { type OpenMcpOptions, openMcp } from '../../import/mcp/open-mcp';
import { fingerprint } from '../../import/pins';
import { accessToken, accountOf } from '../support/connections/access-token';
import { heldConnection } from '../support/connections/held-connection';
import { startOAuthMcpServer } from '../support/connections/oauth-mcp-server';
import { startOAuthProvider } from '../support/connections/oauth-provider';
import { type RecordedRequest, recordedApi } from '../support/recorded-api';
import { context } from '../unit/import/context';

/** The accounts ann and bob at a provider, with a token each, and the server that takes them. */
async function notes() {
  const provider = await startOAuthProvider({ configuration: { features: { resourceIndicators: { enabled: false } } } });
  const server = await startOAuthMcpServer({ issuer: provider.issuer, accountOf: (token) => accountOf(provider, token) });
  const [ann, bob] = await Promise.all([accessToken(provider, 'ann'), accessToken(provider, 'bob')]);
  return { provider, server, ann, bob, another: () => accessToken(provider, 'ann') };
}

/** The approved tools, listed with the operator's token. */
async function approvedTools(url: string, listToken: string) {
  const source = openMcp({ url, auth: 'everyone' }, { listToken });
  const pins = pinsOf({ toolkit: await source.details(), actions: await source.listActions() });
  await source.close();
  return pins;
}

/** Calls of the tools of a server, without a service. */
async function calls(config: HttpConfig, listToken: string, options: OpenMcpOptions = {}) {
  const pins = await approvedTools(config.url, listToken);
  const source = openMcp(config, options);
  onTestFinished(() => source.close());
  const actions = source.pinnedActions(pins);
  return (name: string, frame: FrameConnection | { connection: ActionContext['connection'] }, more: Partial<ActionContext> = {}) => {
    const { connection } = 'connection' in frame ? frame : heldConnection(frame);
    const action = actions.find((each) => each.action === name);
    return Promise.resolve(action?.handler(context(AbortSignal.timeout(30_000), { connection, progress: () => {}, ...more }), {}));
  };
}

const bearer = (token: string, id?: string): FrameConnection => ({ type: 'bearer', token, ...(id !== undefined && { id }) });

describe('a session', () => {
  test('is of one connection, whose renewed token goes on in it', async () => {
    const { server, ann, bob, another } = await notes();
    const call = await calls({ url: server.url, auth: 'user' }, ann);

    expect(await call('count', bearer(ann, 'con_ann'))).toBe('1');
    expect(await call('count', bearer(bob, 'con_bob'))).toBe('1');
    expect(await call('count', bearer(await another(), 'con_ann'))).toBe('2');
    expect(await call('whose', bearer(bob, 'con_bob'))).toBe('bob in a session of bob');
    // Connected again, with another account under the same name.
    expect(await call('count', bearer(bob, 'con_ann.2'))).toBe('1');
    for (const accounts of server.sessions.values()) expect(accounts.size).toBe(1);
  });

  test("of a caller's credential has that credential alone, and one caller alone", async () => {
    const { server, ann, bob } = await notes();
    const call = await calls({ url: server.url, auth: 'caller' }, ann);

    expect(await call('count', bearer(ann), { userId: 'a' })).toBe('1');
    expect(await call('count', bearer(ann), { userId: 'a' })).toBe('2');
    expect(await call('count', bearer(bob), { userId: 'a' })).toBe('1');
    expect(await call('count', bearer(ann), { userId: 'b' })).toBe('1');
    expect(await call('count', bearer(ann), { userId: 'a', agentId: 'agent_2' })).toBe('1');
    for (const accounts of server.sessions.values()) expect(accounts.size).toBe(1);
  });

  test.each([
    ['maxSessions', { maxSessions: 2 }],
    ['idleMinutes', { idleMinutes: 0.001 }],
  ])('ends by %s, and its account gets another one', async (_name, limits) => {
    const { server, ann, bob, another } = await notes();
    const call = await calls({ url: server.url, auth: 'user', ...limits }, ann);
    await call('count', bearer(ann, 'con_1'));
    await call('count', bearer(bob, 'con_2'));
    if ('maxSessions' in limits) await call('count', bearer(await another(), 'con_3'));

    await vi.waitFor(() => expect(server.open()).toBeLessThanOrEqual('maxSessions' in limits ? 2 : 0), { timeout: 10_000 });
    expect(await call('count', bearer(ann, 'con_1'))).toBe('1');
  });

  test('of `one: user` is never ended for another one', async () => {
    const { server, ann, bob } = await notes();
    const call = await calls({ url: server.url, auth: 'everyone', one: 'user', maxSessions: 1 }, ann);
    expect(await call('count', bearer(ann, 'con'), { userId: 'a' })).toBe('1');

    await expect(call('count', bearer(ann, 'con'), { userId: 'b' })).rejects.toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: expect.stringContaining('maxSessions'),
    });
    await expect(call('count', bearer(bob, 'con'))).rejects.toMatchObject({ code: 'USER_REQUIRED' });
    expect(await call('count', bearer(ann, 'con'), { userId: 'a' })).toBe('2');
  });
});

describe('a refused token', () => {
  test('is renewed once; the session and its state go on', async () => {
    const { server, ann, another } = await notes();
    const call = await calls({ url: server.url, auth: 'user' }, ann);
    expect(await call('count', bearer(ann, 'con'))).toBe('1');
    server.refused.add(ann);
    const held = heldConnection(bearer(ann, 'con'), bearer(await another(), 'con'));

    expect(await call('count', held)).toBe('2');
    expect([held.renewals, server.open()]).toEqual([1, 1]);
  });

  test('is renewed at the start of a session too, also for calls side by side', async () => {
    const { server, ann, another } = await notes();
    const call = await calls({ url: server.url, auth: 'user' }, ann);
    server.refused.add(ann);
    const next = bearer(await another(), 'con');

    const counts = await Promise.all(Array.from({ length: 5 }, () => call('count', heldConnection(bearer(ann, 'con'), next))));
    expect(counts.map(Number).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(server.open()).toBe(1);
  });

  test('that is refused again is CONNECTION_REQUIRED, and no operator token replaces it', async () => {
    const { server, ann, bob, another } = await notes();
    const call = await calls({ url: server.url, auth: 'user', headers: { 'X-App': 'svc' } }, ann, { listToken: bob });
    const second = await another();
    server.refused.add(ann).add(second);

    await expect(call('count', heldConnection(bearer(ann, 'con'), bearer(second, 'con')))).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      message: expect.stringContaining('401'),
    });
    await expect(call('count', { connection: undefined })).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
    expect(server.sessions.size).toBe(1);
    expect(server.tokens.get(bob)).toBeUndefined();
  });
});

test('no result, progress, log or error shows the token', async () => {
  const { server, ann } = await notes();
  const logs: ServerLog[] = [];
  const reports: Progress[] = [];
  const call = await calls({ url: server.url, auth: 'caller' }, ann, { onLog: (log) => logs.push(log) });

  const result = await call('echo', bearer(ann), { progress: (report) => reports.push(report) });
  await vi.waitFor(() => expect(logs).not.toEqual([]));
  const shown = JSON.stringify([result, reports, logs]);
  expect(shown).toContain('[connection]');
  expect(reports).not.toEqual([]);
  for (const form of [ann, Buffer.from(`:${ann}:`).toString('base64')]) expect(shown).not.toContain(form);
  await expect(call('count', bearer('tok\nof ann'))).rejects.toThrow(expect.not.stringContaining('of ann'));
});

test.each<[ConnectionChoice, FrameConnection, (request: RecordedRequest) => unknown, unknown]>([
  [
    { from: 'user', type: 'basic' },
    { type: 'basic', username: 'ann', password: 'pä:ss' },
    ({ headers }) => headers.authorization,
    'Basic YW5uOnDDpDpzcw==',
  ],
  [
    { from: 'user', type: 'apiKey', name: 'X-Notes' },
    { type: 'apiKey', apiKey: 'key-of-ann', in: 'header', name: 'X-Notes' },
    ({ headers }) => headers['x-notes'],
    'key-of-ann',
  ],
  [
    { from: 'user', type: 'apiKey', in: 'query', name: 'key' },
    { type: 'apiKey', apiKey: 'key&of ann', in: 'query', name: 'key' },
    ({ url }) => url,
    '/mcp?team=1&key=key%26of+ann',
  ],
])('the requests for %j have it, also within a redirect of the server, and no other server gets it', async (auth, frame, read, sent) => {
  const other = await recordedApi();
  const api = await recordedApi(({ url }, response) => {
    const target = url.startsWith('/mcp') ? `/other${url}` : `${other.url}/mcp`;
    response.writeHead(307, { location: target }).end();
  });
  const source = openMcp({ url: `${api.url}/mcp?team=1`, auth, headers: { 'X-App': 'svc' } });
  onTestFinished(() => source.close());
  const tool = { actionDescription: 'Counts', payloadDescription: {}, annotations: {} };
  const [count] = source.pinnedActions({ toolkit: {}, actions: { count: { ...tool, sha256: fingerprint(tool) } } });

  await expect(count?.handler(context(undefined, heldConnection(frame)), {})).rejects.toMatchObject({
    code: 'UPSTREAM_UNREACHABLE',
    message: expect.not.stringMatching(/of.{1,3}ann/),
  });
  expect([read(api.requests[0]!), api.requests[0]?.headers['x-app']]).toEqual([sent, 'svc']);
  expect(api.requests.length).toBeGreaterThan(1);
  expect(other.requests).toEqual([]);
});

test('a link that the server wants opened is a text with its address, and asks for no connection', async () => {
  const { server, ann } = await notes();
  const call = await calls({ url: server.url, auth: 'user' }, ann);

  await expect(call('link', bearer(ann, 'con'))).rejects.toMatchObject({
    code: 'LINK_REQUIRED',
    message: expect.stringContaining('https://notes.example/pay'),
  });
});

test("one account's list takes no tool from the others; the changed tool fails for it alone, and the new one is held", async () => {
  const { server, ann, bob } = await notes();
  const pins = await approvedTools(server.url, ann);
  server.others.add('bob');
  const service = await startService();
  const { key: apiKey } = await service.keys.create({ kind: 'toolkit', name: 'notes' });
  const held: string[][] = [];
  const toolkit = await mcpToolkit({
    toolkit: { baseUrl: service.url, apiKey },
    toolkitId: 'notes',
    server: { url: server.url, auth: 'caller' },
    pins,
    onHeld: (changes) => held.push(changes.map((change) => ('action' in change ? `${change.kind} ${change.action}` : change.kind))),
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const invoke = async (action: string, token?: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(token && { 'svc-connections': `notes Bearer ${token}` }),
    };
    const response = await fetch(`${service.url}/v1/invoke`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ action: `notes__${action}` }),
    });
    return response.json();
  };

  expect(await invoke('whose', bob)).toMatchObject({ result: 'bob in a session of bob' });
  expect(await invoke('count', bob)).toMatchObject({ cause: { code: 'UPSTREAM_CHANGED' } });
  expect(await invoke('count', ann)).toMatchObject({ result: '1' });
  expect(await invoke('count')).toMatchObject({ code: 'CONNECTION_REQUIRED', connect: { toolkit: 'notes' } });
  expect(await invoke('count', 'unknown-token')).toMatchObject({ code: 'CONNECTION_REQUIRED' });
  expect(held).toEqual([['new secret']]);
  expect(JSON.stringify(await invoke('echo', ann))).not.toContain(ann);
});

describe('the list of a server with a sign-in', () => {
  test.each([
    [undefined, '--connection user'],
    ['user' as const, 'toolkits approve'],
  ])('is not read without one: with auth %s the error says %s', async (auth, advice) => {
    const { server } = await notes();
    const source = openMcp({ url: server.url, auth });
    onTestFinished(() => source.close());
    await expect(source.listActions()).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(advice) });
  });

  test('that refuses the token of the operator says so', async () => {
    const { server } = await notes();
    const source = openMcp({ url: server.url, auth: 'user' }, { listToken: 'wrong-token-1' });
    onTestFinished(() => source.close());
    await expect(source.listActions()).rejects.toThrow(/401.*/);
  });
});

test.each([
  [{ auth: 'user' as const, headers: { authorization: 'Bearer mine' } }, 'headers has authorization'],
  [{ auth: { from: 'user' as const, type: 'apiKey' as const, name: 'X-Key' }, headers: { 'x-key': 'mine' } }, 'headers has x-key'],
  [{ auth: { from: 'user' as const, type: 'bearer' as const, server: 'https://a.example' } }, 'Only oauth2 has endpoints'],
])('%j is refused', (settings, message) => {
  expect(() => openMcp({ url: 'https://mcp.example/mcp', ...settings })).toThrow(message);
});

test.each([
  ['https://mcp.example/mcp', 'user' as const, { type: 'oauth2', from: 'user', server: 'https://mcp.example/mcp' }],
  [
    'https://mcp.example/mcp?team=1&api_key=s3cret',
    'everyone' as const,
    { type: 'oauth2', from: 'everyone', server: 'https://mcp.example/mcp?team=1' },
  ],
  [
    'https://mcp.example/mcp',
    { from: 'user' as const, type: 'bearer' as const, help: 'A token' },
    { type: 'bearer', from: 'user', help: 'A token' },
  ],
])('the toolkit of %s with %j asks for %j', async (url, auth, asked) => {
  expect(openMcp({ url, auth }).auth).toEqual(asked);
});
