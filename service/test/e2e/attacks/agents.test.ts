/** Attacks with an agent key on the service and on other agents. */
import { describe, expect, test } from 'vitest';
import type { CreatedToken } from '#sdk/protocol/http';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '__defineGetter__'];

async function startShop() {
  const service = await startConsole();
  const seen: unknown[] = [];
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'order', actionDescription: 'Orders', payloadDescription: { what: { type: 'string' } } }, (ctx, payload) => {
      seen.push(payload);
      return { by: ctx.agentId, user: ctx.userId, payload };
    });
  });
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'attacker' });
  return { service, seen, id, key };
}

const call = (service: ConsoleService, key: string, body: unknown, headers: Record<string, string> = {}) =>
  service.as(key).ask('POST', PATHS.invoke, body, { headers });

async function problemOf(response: Response): Promise<[status: number, code: string]> {
  const text = await response.text();
  return [response.status, JSON.parse(text).code];
}

describe('names of JavaScript’s own', () => {
  test('are not an action, a toolkit, a key, a setting or a filter', async () => {
    const { service, key } = await startShop();
    const agent = service.as(key);
    for (const name of NAMES) {
      for (const action of [name, `${name}__${name}`, `shop__${name}`])
        expect((await problemOf(await call(service, key, { action, payload: {} })))[0]).toBeLessThan(500);
      for (const path of [
        `/v1/actions/${name}`,
        `/v1/actions?toolkit=${name}`,
        `/v1/toolkits?${name}=${name}`,
        `/v1/reports/toolkits/${name}`,
        `/v1/reports/toolkits?sort=${name}`,
        `/v1/stats/top?by=${name}`,
        `/v1/invocations/${name}`,
        `/v1/keys/${name}`,
        `/v1/invocations?outcome=${name}`,
      ])
        for (const asker of [agent, service.owner]) expect([path, (await asker.ask('GET', path)).status >= 500]).toEqual([path, false]);
    }
  });

  test('in a payload are values of the payload, and change no object of the service', async () => {
    const { service, seen, key } = await startShop();
    const body = '{"action":"shop__order","payload":{"what":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    expect((await call(service, key, body)).status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const payload of seen) expect((payload as Record<string, unknown>).polluted).toBeUndefined();
    expect((await service.as(key).ask('POST', PATHS.search, '{"query":"order","__proto__":{"limit":1e9}}')).status).toBeLessThan(500);
  });
});

describe('an idempotency key', () => {
  test('opens no outcome of another key, and none of another user of the same key', async () => {
    const { service, key } = await startShop();
    const other = await service.keys.create({ kind: 'agent', name: 'other' });
    const mint = async (userId: string) =>
      (await service.as(key).json<CreatedToken>('POST', PATHS.tokens, { ttlSeconds: 60, userId })).token;
    const order = (who: string) =>
      call(service, who, { action: 'shop__order', payload: { what: 'tea' } }, { 'idempotency-key': 'order-1' });
    const [ada, eve] = [await mint('ada'), await mint('eve')];
    expect((await (await order(ada)).json()).result.user).toBe('ada');
    expect((await (await order(other.key)).json()).result.by).toBe(other.id);
    const stolen = await order(eve);
    expect([stolen.status, (await stolen.text()).includes('ada')]).toEqual([422, false]);
  });

  test('with odd characters or length has a defined answer', async () => {
    const { service, key } = await startShop();
    for (const name of ['x'.repeat(256), 'x'.repeat(8_000), "' or 1=1 --", '%00', '\u00e9', '{}', ' ']) {
      const { status } = await call(service, key, { action: 'shop__order', payload: { what: 'tea' } }, { 'idempotency-key': name });
      expect([name.slice(0, 10), [200, 400].includes(status)]).toEqual([name.slice(0, 10), true]);
    }
  });
});

describe('an agent token', () => {
  test('that was changed in any part is refused', async () => {
    const { service, key } = await startShop();
    const { token } = await service.as(key).json<CreatedToken>('POST', PATHS.tokens, { ttlSeconds: 60, userId: 'ada' });
    const [claims = '', mac = ''] = token.slice('svc_token_'.length).split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const written = (changes: object) => Buffer.from(JSON.stringify({ ...read, ...changes })).toString('base64url');
    for (const forged of [
      `svc_token_${written({ expiresAt: 9e15 })}.${mac}`,
      `svc_token_${written({ userId: 'eve' })}.${mac}`,
      `svc_token_${written({ allow: undefined })}.`,
      `svc_token_${claims}.`,
      `svc_token_${claims}`,
      `svc_token_.${mac}`,
      `svc_token_${claims}.${mac.slice(1)}`,
      `svc_token_${claims}.${mac}.${mac}`,
      `svc_token_${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`,
      `svc_token_${'A'.repeat(8_000)}.${mac}`,
      `SVC_TOKEN_${claims}.${mac}`,
    ])
      expect([forged.slice(0, 40), (await call(service, forged, { action: 'shop__order', payload: {} })).status]).toEqual([
        forged.slice(0, 40),
        401,
      ]);
  });

  test('creates no tokens, lists no keys, and cannot be created with more rights than its key', async () => {
    const { service } = await startShop();
    const { key } = await service.keys.create({ kind: 'agent', name: 'narrow', allow: { toolkits: [], actions: ['shop__order'] } });
    const { token } = await service.as(key).json<CreatedToken>('POST', PATHS.tokens, { ttlSeconds: 60 });
    expect((await service.as(token).ask('POST', PATHS.tokens, { ttlSeconds: 60 })).status).toBe(403);
    for (const path of [PATHS.keys, '/v1/people', '/v1/invocations', '/v1/settings', '/v1/audit'])
      expect([path, (await service.as(token).ask('GET', path)).status >= 401]).toEqual([path, true]);
    for (const body of [
      { ttlSeconds: 60, allow: { toolkits: ['shop'] } },
      { ttlSeconds: 60, allow: { actions: ['shop__order', 'shop__other'] } },
      { ttlSeconds: 1e9 },
      { ttlSeconds: -1 },
      { ttlSeconds: 0.5 },
      { ttlSeconds: 60, userId: 'x'.repeat(10_000) },
      { ttlSeconds: 60, userId: 'a\nb' },
    ])
      expect((await service.as(key).ask('POST', PATHS.tokens, body)).status).toBeGreaterThanOrEqual(400);
  });
});

test('odd deadlines, limits and cursors are refused with words, and cost nothing', async () => {
  const { service, key } = await startShop();
  for (const timeout of ['NaN', '-1', '1e999', '0x10', '1e3', '99999999999999999999', 'Infinity', '1;2'])
    expect([timeout, (await call(service, key, { action: 'shop__order', payload: {} }, { 'svc-timeout-ms': timeout })).status]).toEqual([
      timeout,
      400,
    ]);
  for (const query of [
    'cursor=%00',
    'cursor=eyJhIjoxfQ',
    'cursor=../../etc',
    `cursor=${'A'.repeat(5_000)}`,
    'limit=-1',
    'limit=1e9',
    'limit=NaN',
    'limit=0',
    'since=+275760-09-13T00:00:00.001Z',
    'since=-1',
    'since=1e400',
    'q=%25%25%25%25%25%27%3B--',
    `q=${encodeURIComponent('%_'.repeat(2_000))}`,
    'q=%ed%a0%80',
    'limit=1&limit=2',
    'limit[]=1',
  ])
    for (const path of [
      '/v1/actions',
      '/v1/toolkits',
      '/v1/invocations',
      '/v1/keys',
      '/v1/audit',
      '/v1/reports/toolkits',
      '/v1/searches',
    ]) {
      const asker = path === '/v1/actions' || path === '/v1/toolkits' ? service.as(key) : service.owner;
      expect([path, query.slice(0, 30), (await asker.ask('GET', `${path}?${query}`)).status < 500]).toEqual([
        path,
        query.slice(0, 30),
        true,
      ]);
    }
});

test('a search text that grows when it is normalised is read up to the limit, and answered', async () => {
  const { service, key } = await startShop();
  for (const query of [
    '\ufdfa'.repeat(500_000),
    '\u0344'.repeat(200_000),
    'a\u0300'.repeat(200_000),
    '\u{1f468}\u200d'.repeat(100_000),
    ' '.repeat(1_000_000),
    'a '.repeat(500_000),
  ]) {
    const begun = performance.now();
    expect((await service.as(key).ask('POST', PATHS.search, { query })).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});

test('fields reserved for the service have no effect in a call', async () => {
  const { service, seen, id, key } = await startShop();
  const body = {
    action: 'shop__order',
    payload: { what: 'tea' },
    agentId: 'key_owner',
    userId: 'admin',
    attempt: 9,
    invocationId: 'inv_x',
    key: { id: 'key_x' },
  };
  const headers = {
    'x-user-id': 'admin',
    'x-agent-id': 'key_owner',
    traceparent: `00-${'f'.repeat(32)}-${'f'.repeat(16)}-01`,
    tracestate: 'a=b,'.repeat(500),
  };
  const answer = await call(service, key, body, headers);
  expect(answer.status).toBeLessThan(500);
  if (answer.ok) expect((await answer.json()).result).toMatchObject({ by: id, payload: { what: 'tea' } });
  expect(seen.length).toBeLessThanOrEqual(1);
});

test('the stored result of another key cannot be read with any handle', async () => {
  const { service, key } = await startShop();
  const victim = await service.keys.create({ kind: 'agent', name: 'victim' });
  const order = await call(service, victim.key, { action: 'shop__order', payload: { what: 'secret' } }, { 'idempotency-key': 'k' });
  const { invocationId } = await order.json();
  for (const handle of [invocationId, `${invocationId} `, invocationId.toUpperCase(), '%', '', "' or '1'='1", '__proto__', '../x']) {
    const answer = await call(service, key, { action: 'svc__read_result', payload: { handle, offset: 0 } });
    expect([handle, answer.ok, (await answer.text()).includes('secret')]).toEqual([handle, false, false]);
  }
});
