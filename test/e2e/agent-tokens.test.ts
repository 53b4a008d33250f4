/** Short-lived agent tokens, as a server creates them for a page, and attacks with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type ActionContext, Tools } from 'svc-sdk';
import { exportData } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../support/folder';
import { startRecorded } from '../support/recorded-service';
import { startService, type TestService } from '../support/service';

interface Body {
  ttlSeconds?: number;
  allow?: { toolkits?: string[]; actions?: string[] };
  userId?: string;
}

async function post(service: TestService, path: string, key: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

async function mint(service: TestService, key: string, { ttlSeconds = 600, ...rest }: Body = {}): Promise<string> {
  const { status, body } = await post(service, '/v1/tokens', key, { ttlSeconds, ...rest });
  expect(status).toBe(201);
  return body.token;
}

/** A service with two toolkits that record the contexts of their calls, and an agent key. */
async function openShop(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  const contexts: ActionContext[] = [];
  const note = (ctx: ActionContext) => {
    contexts.push(ctx);
    return 'done';
  };
  for (const name of ['shop', 'bank']) {
    await service.toolkit(name, (toolkit) => {
      toolkit.action({ action: 'list', actionDescription: `Lists what the ${name} has` }, note);
      toolkit.action({ action: 'order', actionDescription: `Orders something at the ${name}` }, note);
    });
  }
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'server' });
  const as = (apiKey: string) => new Tools({ baseUrl: service.url, apiKey });
  return { service, contexts, id, key, as };
}

test('a token searches, resolves and calls for its user, as an agent of its key', async () => {
  const { service, contexts, id, key, as } = await openShop();
  const token = await mint(service, key, { userId: 'user-1' });
  expect(token).toMatch(/^svc_token_[\w-]+\.[\w-]+$/);
  const tools = as(token);
  expect((await tools.search('orders')).actions.length).toBeGreaterThan(0);
  expect((await tools.resolve('shop__order', {})).action.action).toBe('shop__order');
  expect((await tools.getTools({ staticToolkits: ['shop'], dynamicTools: false })).length).toBe(2);
  expect((await tools.invoke('shop__order')).result).toBe('done');
  await as(key).invoke('shop__order');
  expect(contexts.map(({ agentId, userId }) => ({ agentId, userId }))).toEqual([
    { agentId: id, userId: 'user-1' },
    { agentId: id, userId: undefined },
  ]);
});

test('the record of a call shows its user', async () => {
  const service = await startRecorded();
  await service.toolkit('shop', (shop) => shop.action({ action: 'order', actionDescription: 'Orders something' }, () => 'done'));
  const { key } = await service.keys.create({ kind: 'agent', name: 'server' });
  const tools = new Tools({ baseUrl: service.url, apiKey: await mint(service, key, { userId: 'user-1' }) });
  await tools.invoke('shop__order');
  await vi.waitFor(async () =>
    expect(await service.timeline()).toEqual(expect.arrayContaining([expect.objectContaining({ what: 'user', detail: 'user-1' })])),
  );
});

test('a token authenticates MCP requests', async () => {
  const { service, contexts, key } = await openShop();
  const requestInit = { headers: { authorization: `Bearer ${await mint(service, key, { userId: 'user-1' })}` } };
  const client = new Client({ name: 'page', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  await client.callTool({ name: 'invoke_service', arguments: { action: 'shop__list', payload: {} } });
  expect(contexts[0]?.userId).toBe('user-1');
});

describe('the rights of a token', () => {
  test('is what it names, and no more than its key allows at the time', async () => {
    const { service, as } = await openShop();
    const { id, key } = await service.keys.create({ kind: 'agent', name: 'a', allow: { toolkits: ['shop'], actions: ['bank__list'] } });
    const tools = as(await mint(service, key, { allow: { toolkits: ['shop'], actions: ['bank__list'] } }));
    const narrow = as(await mint(service, key, { allow: { actions: ['shop__list'] } }));
    await narrow.invoke('shop__list');
    await expect(narrow.invoke('shop__order')).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
    expect((await narrow.search('orders lists')).actions.map(({ action }) => action)).toEqual(['shop__list']);
    await tools.invoke('bank__list');
    const admin = await service.keys.create({ kind: 'admin', name: 'admin' });
    await fetch(`${service.url}/v1/keys/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allow: { actions: ['shop__order'] } }),
    });
    await tools.invoke('shop__order');
    for (const action of ['bank__list', 'shop__list'])
      await expect(tools.invoke(action)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
    await expect(narrow.invoke('shop__list')).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  });

  test.each<[string, Body, number, string, RegExp]>([
    ['more than the key', { allow: { actions: ['bank__order'] } }, 403, 'ACTION_NOT_ALLOWED', /bank__order/],
    ['a toolkit of which the key has one action', { allow: { toolkits: ['bank'] } }, 403, 'ACTION_NOT_ALLOWED', /bank/],
    ['nothing', { allow: {} }, 400, 'INVALID_REQUEST', /names nothing/],
    ['more than an hour', { ttlSeconds: 3_601 }, 400, 'INVALID_REQUEST', /at most 3600/],
    ['an unknown member', { ttlSecond: 1 } as Body, 400, 'INVALID_REQUEST', /ttlSecond/],
    ['a user with a line feed', { userId: 'a\nb' }, 400, 'INVALID_REQUEST', /control characters/],
  ])('cannot be %s', async (_what, asked, status, code, detail) => {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'agent', name: 'a', allow: { toolkits: ['shop'], actions: ['bank__list'] } });
    const answer = await post(service, '/v1/tokens', key, { ttlSeconds: 60, ...asked });
    expect(answer).toMatchObject({ status, body: { code, detail: expect.stringMatching(detail) } });
  });

  test('is not another token, and gives no rights of a toolkit or an administrator', async () => {
    const { service, key } = await openShop();
    const token = await mint(service, key);
    expect(await post(service, '/v1/tokens', token, { ttlSeconds: 60 })).toMatchObject({ status: 403, body: { code: 'WRONG_KEY_KIND' } });
    expect(await post(service, '/v1/keys', token, { kind: 'admin', name: 'me' })).toMatchObject({ status: 403 });
    const toolkitKey = await service.keys.create({ kind: 'toolkit', name: 'other' });
    expect(await post(service, '/v1/tokens', toolkitKey.key, { ttlSeconds: 60 })).toMatchObject({ body: { code: 'WRONG_KEY_KIND' } });
  });
});

describe('a token ends', () => {
  test('when its time is over, and never later than its key', async () => {
    const { service, key, as } = await openShop();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const token = await mint(service, key, { ttlSeconds: 60 });
    const unused = await mint(service, key, { ttlSeconds: 60 });
    await as(token).invoke('shop__list');
    const short = await service.keys.create({ kind: 'agent', name: 'short', expiresInDays: 1 / 24 / 60 });
    const { body } = await post(service, '/v1/tokens', short.key, { ttlSeconds: 3_600 });
    expect(body.expiresAt).toBe(short.expiresAt);
    vi.setSystemTime(Date.now() + 60_000);
    for (const each of [token, unused]) await expect(as(each).invoke('shop__list')).rejects.toMatchObject({ code: 'KEY_EXPIRED' });
  });

  test('with its key: revoked, or with another secret', async () => {
    const { service, id, key, as } = await openShop();
    const [token, unused] = [await mint(service, key), await mint(service, key)];
    await as(token).invoke('shop__list');
    const rotated = await service.keys.rotate(id);
    for (const each of [token, unused]) await expect(as(each).invoke('shop__list')).rejects.toMatchObject({ code: 'INVALID_KEY' });
    const later = await mint(service, rotated.key);
    await as(later).invoke('shop__list');
    await service.keys.revoke(id);
    await expect(as(later).invoke('shop__list')).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  });

  test('with one character changed, and at another service', async () => {
    const { service, key, as } = await openShop();
    const token = await mint(service, key, { userId: 'user-1' });
    const [claims = '', mac = ''] = token.slice('svc_token_'.length).split('.');
    const other = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('user-1', 'user-2')).toString('base64url');
    for (const forged of [`svc_token_${other}.${mac}`, `svc_token_${claims}.`, `svc_token_${claims}`, 'svc_token_x.x'])
      await expect(as(forged).search('x')).rejects.toMatchObject({ code: 'INVALID_KEY' });
    const stranger = await startService();
    await expect(new Tools({ baseUrl: stranger.url, apiKey: token }).search('x')).rejects.toMatchObject({ code: 'INVALID_KEY' });
  });
});

test('a service on the same data accepts what the one before it made, and no export holds the secret', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const data = join(folder.path, 'data');
  const first = await startService({ data });
  const { key } = await first.keys.create({ kind: 'agent', name: 'a' });
  const token = await mint(first, key);
  await first.close();
  const second = await startService({ data });
  await new Tools({ baseUrl: second.url, apiKey: token }).search('x');
  await second.close();
  const file = join(folder.path, 'export');
  await exportData(data, { to: file });
  expect(readFileSync(file, 'utf8')).not.toContain('token-secret');
});

test('calls and tokens count against the limit of the key', async () => {
  const { service, as } = await openShop();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a', callsPerMinute: 2 });
  const tools = as(await mint(service, key));
  await tools.search('x');
  const { status, headers } = await post(service, '/v1/search', key, { query: 'x' });
  expect({ status, retryAfter: headers.get('retry-after') }).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) });
});

test('two users of one key never get each other’s result by the idempotency key', async () => {
  const { service, contexts, key } = await openShop();
  const [one, two] = [await mint(service, key, { userId: 'one' }), await mint(service, key, { userId: 'two' })];
  const idempotency = { 'idempotency-key': 'order-1' };
  const body = { action: 'shop__order', payload: {} };
  expect((await post(service, '/v1/invoke', one, body, idempotency)).status).toBe(200);
  expect((await post(service, '/v1/invoke', one, body, idempotency)).body).toMatchObject({ replayed: true });
  expect((await post(service, '/v1/invoke', two, body, idempotency)).body).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(contexts).toHaveLength(1);
});

test('neither log nor errors hold a token', async () => {
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(JSON.stringify(fields) + message);
  const { service, key, as } = await openShop({ logger: { info: log, warn: log, error: log } });
  const token = await mint(service, key, { allow: { actions: ['shop__list'] } });
  await as(token).invoke('shop__list');
  const error = await as(token)
    .invoke('shop__order')
    .catch((reason) => reason);
  expect(JSON.stringify(error)).not.toContain(token.slice(10, 60));
  expect(logged.join('\n')).not.toContain(token.slice(10, 60));
});
