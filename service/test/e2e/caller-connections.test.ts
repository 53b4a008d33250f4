/** Credentials that callers send with their calls: only the toolkit of the call that asks for one gets it. */
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { startNats } from '../../../test/support/nats';
import { offeredAt } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

const TOKEN = 'gho_canary-7f31';
const ASKS = { type: 'bearer', from: 'caller', help: 'A GitHub token' };
const ACTION = { action: 'star', actionDescription: 'Stars a repository' };

async function openGithub(service: TestService, { auth = ASKS, actions = [ACTION], name = 'github' }: Partial<Opened> = {}) {
  const { key } = await service.keys.create({ kind: 'toolkit', name });
  const toolkit = await RawToolkit.connect(service, key);
  const registered = await toolkit.register(actions, { toolkit: { auth } });
  const agent = (await service.keys.create({ kind: 'agent', name: 'agent' })).key;
  return { toolkit, registered, key, call: caller(service, agent, `${name}__star`) };
}

interface Opened {
  auth: object | null;
  actions: object[];
  name: string;
}

/** One call by HTTP; `send` are its headers. */
function caller(service: { url: string }, agent: string, star: string) {
  return async (send: Record<string, string> = {}, action = star) => {
    const answer = await fetch(service.url + PATHS.invoke, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json', ...send },
      body: JSON.stringify({ action, payload: {} }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

const github = (token: string, more: Record<string, string> = {}) => ({ 'svc-connections': `github Bearer ${token}`, ...more });

test('the toolkit that asks for it gets the credential of the call, and no other toolkit', async () => {
  const service = await startService();
  const { toolkit, call } = await openGithub(service);
  const other = await openGithub(service, { name: 'other', auth: null });
  const headers = { 'svc-connections': `other Bearer ${TOKEN}, github Bearer ${TOKEN}` };

  const answer = call(headers);
  const { id, params } = await toolkit.invoked();
  expect(params.connection).toEqual({ type: 'bearer', token: TOKEN });
  toolkit.send({ jsonrpc: '2.0', id, result: 'starred' });
  expect(await answer).toMatchObject({ status: 200, body: { result: 'starred' } });

  void call(headers, 'other__star').catch(() => {});
  expect((await other.toolkit.invoked()).params).not.toHaveProperty('connection');
});

test.each([
  ['basic', { type: 'basic', from: 'caller' }, `Basic ${btoa('ada:pass:word')}`, { type: 'basic', username: 'ada', password: 'pass:word' }],
  [
    'apiKey',
    { type: 'apiKey', from: 'caller', in: 'query', name: 'key' },
    'ApiKey k-1',
    { type: 'apiKey', apiKey: 'k-1', in: 'query', name: 'key' },
  ],
  ['oauth2', { type: 'oauth2', from: 'caller' }, 'Bearer t-1', { type: 'bearer', token: 't-1' }],
])('a credential of type %s arrives in its parts', async (_type, auth, credential, connection) => {
  const { toolkit, call } = await openGithub(await startService(), { auth });
  void call({ 'svc-connections': `github ${credential}` }).catch(() => {});
  expect((await toolkit.invoked()).params.connection).toEqual(connection);
});

test('a call without the credential is refused before it runs, and its idempotency key stays free', async () => {
  const { toolkit, call } = await openGithub(await startService());
  const key = { 'idempotency-key': 'k' };

  const refused = await call(key);
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'CONNECTION_REQUIRED', retryable: false, connect: { toolkit: 'github', help: 'A GitHub token' } },
  });
  expect(refused.body.detail).toContain('connections of Tools, or Svc-Connections');
  expect((await call({ ...key, 'svc-connections': `other Bearer ${TOKEN}` })).body.code).toBe('CONNECTION_REQUIRED');
  expect((await call({ ...key, 'svc-connections': 'github ApiKey k' })).body.detail).toContain('needs a credential of type bearer');

  const answer = call(github(TOKEN, key));
  toolkit.send({ jsonrpc: '2.0', id: (await toolkit.invoked()).id, result: 1 });
  expect((await answer).body.result).toBe(1);
  expect((await call(key)).body).toMatchObject({ result: 1, replayed: true });
});

test('an action that needs no connection gets none', async () => {
  const { toolkit, call } = await openGithub(await startService(), { actions: [{ ...ACTION, auth: false }] });
  void call(github(TOKEN)).catch(() => {});
  expect((await toolkit.invoked()).params).not.toHaveProperty('connection');
});

test.each([
  'github',
  `github Digest ${TOKEN}`,
  `github Bearer ${TOKEN}, github Bearer ${TOKEN}`,
  `github Basic ${TOKEN}`,
  `github Bearer ${TOKEN} ${TOKEN}`,
  `github Bearer ${'x'.repeat(8_200)}`,
])('a header that is not understood is refused and not repeated: %s', async (header) => {
  const { call } = await openGithub(await startService());
  const { status, body } = await call({ 'svc-connections': header });
  expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(JSON.stringify(body)).not.toContain('canary');
});

test('a registration that asks for nothing gets nothing, whatever an earlier one asked for', async () => {
  const service = await startService();
  const { toolkit, call, key } = await openGithub(service);
  await toolkit.close();
  const next = await RawToolkit.connect(service, key);
  await next.register([ACTION]);
  void call(github(TOKEN)).catch(() => {});
  expect((await next.invoked()).params).not.toHaveProperty('connection');

  await next.request('update', { auth: ASKS });
  expect((await call()).body.code).toBe('CONNECTION_REQUIRED');
  await next.request('update', { description: 'GitHub' });
  expect((await call()).body.code).toBe('CONNECTION_REQUIRED');
  await next.request('update', { auth: null });
  void call().catch(() => {});
  await next.invoked(1);
});

test.each([
  { type: 'bearer' },
  { type: 'bearer', from: 'nobody' },
  { type: 'oauth2', from: 'user' },
  { type: 'oauth2', from: 'user', tokenUrl: 'javascript:alert(1)', authorizationUrl: 'https://a.example' },
  { type: 'bearer', from: 'caller', name: 'X-Key' },
  { type: 'apiKey', from: 'caller', name: 'X Key\r\nEvil: 1' },
  { type: 'bearer', from: 'caller', scopes: ['a'] },
])('a registration that asks for something impossible is refused: %j', async (auth) => {
  const { registered } = await openGithub(await startService(), { auth });
  expect(registered.error).toMatchObject({ data: { code: 'INVALID_REQUEST', message: expect.stringContaining('auth') } });
});

test('a handler that cannot use the account frees the idempotency key of the call', async () => {
  const { toolkit, call } = await openGithub(await startService());
  const key = { 'idempotency-key': 'k' };
  const refused = call(github(TOKEN, key));
  const error = { code: -32000, message: 'GitHub refused the token', data: { code: 'CONNECTION_REQUIRED' } };
  toolkit.send({ jsonrpc: '2.0', id: (await toolkit.invoked()).id, error });
  expect(await refused).toMatchObject({
    status: 403,
    body: { code: 'CONNECTION_REQUIRED', connect: { toolkit: 'github' }, detail: expect.stringContaining('GitHub refused the token') },
  });

  const answer = call(github('other-token', key));
  const { id, params } = await toolkit.invoked(1);
  expect(params.connection).toEqual({ type: 'bearer', token: 'other-token' });
  toolkit.send({ jsonrpc: '2.0', id, result: 2 });
  expect((await answer).body.result).toBe(2);
});

test('the service cannot renew a credential of the caller', async () => {
  const { toolkit, call } = await openGithub(await startService());
  void call(github(TOKEN)).catch(() => {});
  const { id } = await toolkit.invoked();
  expect(await toolkit.request('connection', { invocationId: id })).toMatchObject({ error: { data: { code: 'CONNECTION_REQUIRED' } } });
  expect(await toolkit.request('connection', { invocationId: 'inv_x' })).toMatchObject({ error: { data: { code: 'INVALID_REQUEST' } } });
});

test('a second process gets the newest token of the call', async () => {
  const service = await startService({ limits: { reconnectGraceMs: 50 } });
  const repeatable = { ...ACTION, annotations: { idempotent: true } };
  const { toolkit, call, key } = await openGithub(service, { actions: [repeatable] });
  const first = call(github('old-token', { 'idempotency-key': 'k' }));
  await toolkit.invoked();
  const second = call(github('new-token', { 'idempotency-key': 'k' }));
  const next = await RawToolkit.connect(service, key);
  await next.register([repeatable], { instance: 'another-one', toolkit: { auth: ASKS } });
  // The retry has joined when the service has read what follows it on the same kind of connection.
  await call({}, 'github__nothing');
  toolkit.endStream();

  const { id, params } = await next.invoked();
  expect(params).toMatchObject({ attempt: 2, connection: { type: 'bearer', token: 'new-token' } });
  next.send({ jsonrpc: '2.0', id, result: 3 });
  expect([(await first).body.result, (await second).body.result]).toEqual([3, 3]);
});

test('a handler that repeats the secret does not show it to the caller, in a result, an error or a report', async () => {
  const { toolkit, call } = await openGithub(await startService());
  const secret = `${TOKEN}"é`;
  const header = { 'svc-connections': `github Bearer ${TOKEN}` };
  const echo = { [TOKEN]: `Bearer ${TOKEN}`, nested: [`${secret}\n`, 12_345_678_901_234_567_890n.toString(), 7] };

  const result = call(header);
  toolkit.send({ jsonrpc: '2.0', id: (await toolkit.invoked()).id, result: echo, content: [{ type: 'text', text: `token ${TOKEN}` }] });
  expect((await result).body).toMatchObject({
    result: { '[connection]': 'Bearer [connection]', nested: ['[connection]"é\n', '12345678901234567890', 7] },
    content: [{ type: 'text', text: 'token [connection]' }],
  });

  const failed = call({ ...header, accept: 'text/event-stream' }).catch(() => undefined);
  const { id } = await toolkit.invoked(1);
  toolkit.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: id, progress: 1, message: `with ${TOKEN}` } });
  toolkit.send({ jsonrpc: '2.0', id, error: { code: -32000, message: `401 for ${TOKEN}`, data: { code: 'HTTP_401', data: { TOKEN } } } });
  await failed;

  const error = call(header);
  toolkit.send({
    jsonrpc: '2.0',
    id: (await toolkit.invoked(2)).id,
    error: { code: -32000, message: `401 for ${TOKEN}`, data: { code: 'HTTP_401', data: { sent: TOKEN } } },
  });
  expect(JSON.stringify((await error).body)).not.toContain('canary');
  expect((await error).body).toMatchObject({ cause: { message: '401 for [connection]', data: { sent: '[connection]' } } });
});

test('a credential goes to the toolkit behind another node, unreadable on the way', { tags: ['postgres', 'nats'] }, async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const nodes = [await startService({ database, nats: nats.url }), await startService({ database, nats: nats.url })];
  const { toolkit } = await openGithub(nodes[0]!);
  await offeredAt(nodes, 'github__star');
  const agent = (await nodes[1]!.keys.create({ kind: 'agent', name: 'far' })).key;
  const listener = await connect({ servers: nats.url });
  onTestFinished(() => listener.close());
  const messages: string[] = [];
  listener.subscribe('>', {
    callback(_error, { data }) {
      messages.push(Buffer.from(data).toString('latin1'));
    },
  });
  await listener.flush();
  const call = caller(nodes[1]!, agent, 'github__star');

  const refused = await vi.waitFor(async () => {
    const answer = await call();
    expect(answer.status).toBe(403);
    return answer;
  });
  expect(refused.body.code).toBe('CONNECTION_REQUIRED');
  const answer = call(github(TOKEN));
  const { id, params } = await toolkit.invoked();
  expect(params.connection).toEqual({ type: 'bearer', token: TOKEN });
  toolkit.send({ jsonrpc: '2.0', id, result: 'far' });
  expect((await answer).body.result).toBe('far');
  await vi.waitFor(() => expect(messages.join('\n')).toContain(id));
  expect(messages.join('\n')).not.toContain('canary');
});
