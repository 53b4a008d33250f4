/** Attacks with the tokens of an app: at other routes and services, of another kind, changed, or with another client's secret. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { startConsole } from '../../../../test/support/console-service';
import { OAuthClient, ping, tokensOf } from '../../support/oauth-client';
import { sendBytes, statusesIn } from '../../support/raw-bytes';

interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const errorOf = async (response: Response) => [response.status, (await response.json()).error];

async function startSignedIn() {
  const service = await startConsole();
  const client = await OAuthClient.register(service.url);
  return { service, client, tokens: await client.signIn(service.owner) };
}

test('an access token opens no documented route but /mcp, nor the socket of toolkits', async () => {
  const { service, tokens } = await startSignedIn();
  const { url } = service;
  const document = (await (await fetch(url + PATHS.openapi)).json()) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method: method.toUpperCase() })),
  );
  expect(operations.length).toBeGreaterThan(60);
  const ask = async (path: string, method: string, authorization: Record<string, string>) => {
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json', ...authorization } };
    const answer = await fetch(url + path.replaceAll(/\{\w+\}/g, 'x'), { method, headers: authorization, ...body });
    await answer.body?.cancel();
    return answer.status;
  };
  for (const { path, method } of operations) {
    if (path === PATHS.mcp) continue;
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const status = await ask(path, method, { authorization: `Bearer ${token}` });
      // A public route answers as it does without a credential.
      if (![401, 403].includes(status)) expect([method, path, status]).toEqual([method, path, await ask(path, method, {})]);
    }
  }
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    const socket = new WebSocket(url.replace('http', 'ws') + PATHS.toolkitSocket, { headers: { authorization: `Bearer ${token}` } });
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    expect([401, 403]).toContain(response.statusCode);
    response.destroy();
  }
  // Nor as a cookie, in the query or under another scheme.
  const { access_token: token } = tokens;
  for (const headers of [
    { cookie: `svc-sdk.session_token=${token}` },
    { authorization: `Basic ${btoa(`x:${token}`)}` },
    { 'x-api-key': token },
  ])
    expect((await fetch(`${url}/v1/me?access_token=${token}`, { headers })).status).toBe(401);
  expect((await fetch(`${url + PATHS.mcp}?access_token=${token}`, { method: 'POST' })).status).toBe(401);
  expect((await ping(url, token)).status).toBe(200);
});

test('no claim of a token can be changed', async () => {
  const { service, tokens } = await startSignedIn();
  const { key } = await service.keys.create({ kind: 'agent', name: 'other' });
  const plain = (await service.as(key).json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 600 })).token;
  const [signed = '', mac = ''] = tokens.access_token.split('.');
  const prefix = 'svc_token_';
  const claims = JSON.parse(Buffer.from(signed.slice(prefix.length), 'base64url').toString());
  expect(claims).toMatchObject({ for: 'mcp', grant: expect.any(String), userId: service.owner.id });
  const { for: _for, grant: _grant, ...neither } = claims;
  const changed = [neither, { ...claims, for: undefined }, { ...claims, grant: undefined }, { ...claims, expiresAt: Date.now() + 1e12 }];
  changed.push({ ...claims, userId: 'other' }, { ...claims, key: 'key_x' }, { ...claims, allow: null });
  const encoded = changed.map((each) => prefix + Buffer.from(JSON.stringify(each)).toString('base64url'));
  const forged = [...encoded.map((text) => `${text}.${mac}`), ...encoded.map((text) => `${text}.`), ...encoded];
  forged.push(
    `${signed}.`,
    signed,
    `${signed}.${plain.split('.')[1]}`,
    `${plain.split('.')[0]}.${mac}`,
    `${prefix}.${mac}`,
    `${signed}.${mac}.${mac}`,
  );
  for (const text of forged) {
    expect((await ping(service.url, text)).ok).toBe(false);
    expect((await service.as(text).ask('GET', PATHS.actions)).status).toBe(401);
  }
  expect((await ping(service.url, plain)).status).toBe(200);
});

test('tokens of one service are none at another, which has the same client and the same person', async () => {
  const [{ client, tokens }, other] = await Promise.all([startSignedIn(), startSignedIn()]);
  expect((await ping(other.service.url, tokens.access_token)).status).toBe(401);
  expect(await errorOf(await other.client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  expect(await errorOf(await client.at(other.service.url).refresh(tokens.refresh_token, { resource: undefined }))).toEqual([
    401,
    'invalid_client',
  ]);
  expect((await other.client.revoke(tokens.refresh_token)).status).toBe(200);
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
});

test('a token is for a resource of this service alone', async () => {
  const { service, client, tokens } = await startSignedIn();
  const { origin, port } = new URL(service.url);
  const others = [
    'https://other.example/mcp',
    `https://127.0.0.1:${port}/mcp`,
    'http://127.0.0.1:1/mcp',
    `${origin}/v1`,
    `${origin}/mcp/x`,
  ];
  others.push(`${origin}@evil.example/mcp`, `http://x@127.0.0.1:${port}/mcp`, `${origin}/mcp#x`, '/mcp', 'mcp', 'urn:svc');
  for (const resource of others) {
    expect(await client.decide(service.owner, { query: client.query({ resource }) })).toMatchObject({ error: 'invalid_target' });
    expect(await errorOf(await client.refresh(tokens.refresh_token, { resource }))).toEqual([400, 'invalid_target']);
  }
  const code = await client.code(service.owner);
  expect(await errorOf(await client.exchange(code, { resource: 'https://other.example/mcp' }))).toEqual([400, 'invalid_target']);
  for (const resource of [`${origin}/mcp`, origin, `${origin}/`]) {
    const next = await tokensOf(await client.refresh(tokens.refresh_token, { resource }));
    expect(next.refresh_token).toMatch(/^svc_refresh_/);
  }
});

describe('a client with a secret', () => {
  test('is known by its own alone', async () => {
    const { url, owner } = await startConsole();
    const [client, other] = await Promise.all(
      [1, 2].map(() => OAuthClient.register(url, { token_endpoint_auth_method: 'client_secret_post' })),
    );
    const open = await OAuthClient.register(url);
    const tokens = await client!.signIn(owner);
    const id = client!.registration.client_id;
    const secrets = [
      undefined,
      '',
      other!.registration.client_secret,
      id,
      `${client!.registration.client_secret}x`,
      open.registration.client_id,
    ];
    for (const client_secret of secrets) {
      expect(await errorOf(await client!.refresh(tokens.refresh_token, { client_secret }))).toEqual([401, 'invalid_client']);
      expect(await errorOf(await client!.exchange('svc_code_x', { client_secret }))).toEqual([401, 'invalid_client']);
      const basic = { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(client_secret ?? '')}`)}` };
      const asked = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      expect(await errorOf(await client!.token({ ...asked, client_id: undefined, client_secret: undefined }, basic))).toEqual([
        401,
        'invalid_client',
      ]);
    }
    // A header of one client does not speak for another.
    const basic = {
      authorization: `Basic ${btoa(`${encodeURIComponent(other!.registration.client_id)}:${other!.registration.client_secret}`)}`,
    };
    const asked = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(await errorOf(await client!.token(asked, basic))).toEqual([401, 'invalid_client']);
    for (const thief of [other!, open]) expect(await errorOf(await thief.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await client!.refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('cannot become one without, or get another redirect', async () => {
    const { url } = await startConsole();
    const client = await OAuthClient.register(url, { token_endpoint_auth_method: 'client_secret_basic' });
    const [signed = '', mac = ''] = client.registration.client_id.split('.');
    const prefix = 'svc_client_';
    const facts = JSON.parse(Buffer.from(signed.slice(prefix.length), 'base64url').toString());
    for (const change of [{ authMethod: 'none' }, { redirectUris: ['https://evil.example/cb'] }, { name: 'Claude' }]) {
      const client_id = `${prefix}${Buffer.from(JSON.stringify({ ...facts, ...change })).toString('base64url')}.${mac}`;
      const forged = new OAuthClient(url, { client_id }, 'https://evil.example/cb');
      expect(await errorOf(await forged.exchange('svc_code_x'))).toEqual([401, 'invalid_client']);
    }
  });
});

test('a parameter that is there twice is refused, and nothing of the query is read', async () => {
  const { service, client, tokens } = await startSignedIn();
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client.registration.client_id };
  const send = (body: string, query = '') =>
    fetch(service.url + OAUTH_PATHS.oauthToken + query, { method: 'POST', body: new URLSearchParams(body) });
  const whole = new URLSearchParams(form).toString();
  for (const [name, value] of Object.entries(form))
    for (const second of [value, 'x'])
      expect(await errorOf(await send(`${whole}&${new URLSearchParams({ [name]: second })}`))).toEqual([400, 'invalid_request']);
  expect(await errorOf(await send('', `?${whole}`))).toEqual([401, 'invalid_client']);
  expect((await send(whole, '?grant_type=password&client_id=x')).status).toBe(200);
});

test('a page whose name was pointed at this machine reaches no endpoint', async () => {
  const service = await startConsole();
  for (const path of Object.values(OAUTH_PATHS)) {
    for (const method of ['GET', 'POST']) {
      const head = [`${method} ${path} HTTP/1.1`, 'Host: evil.example', 'Accept: text/html', 'Content-Type: application/json'];
      const answer = await sendBytes(service, `${head.join('\r\n')}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
      expect([method, path, [403, 404].includes(statusesIn(answer)[0] ?? 0)]).toEqual([method, path, true]);
    }
  }
});

test('a refresh token of another generation or grant is not made from one that is known', async () => {
  const { service, client, tokens } = await startSignedIn();
  const [, grant = '', , mac = ''] = /^svc_refresh_(\w+)\.(\d+)\.(.+)$/.exec(tokens.refresh_token) ?? [];
  const texts = [`svc_refresh_${grant}.1.${mac}`, `svc_refresh_${grant}.0.`, `svc_refresh_${grant}.0`, `svc_refresh_${grant}.00.${mac}`];
  texts.push(
    `svc_refresh_x.0.${mac}`,
    `svc_refresh_${grant}.-1.${mac}`,
    `svc_refresh_${grant}.0.1.${mac}`,
    `svc_refresh_.${mac}`,
    'svc_refresh_',
  );
  for (const text of texts) {
    expect(await errorOf(await client.refresh(text))).toEqual([400, 'invalid_grant']);
    expect((await client.revoke(text)).status).toBe(200);
  }
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  expect((await ping(service.url, tokens.access_token)).status).toBe(200);
});

test('pages of other origins get metadata and tokens, never by a cookie', async () => {
  const { service, client } = await startSignedIn();
  const headers = { origin: 'https://app.example', cookie: service.owner.cookie };
  for (const path of [
    OAUTH_PATHS.authorizationServer,
    OAUTH_PATHS.openIdConfiguration,
    OAUTH_PATHS.registerClient,
    OAUTH_PATHS.oauthToken,
    OAUTH_PATHS.revokeToken,
  ]) {
    const answer = await fetch(service.url + path, { method: path.startsWith('/.') ? 'GET' : 'POST', headers });
    await answer.body?.cancel();
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect(await errorOf(await client.token({ grant_type: 'refresh_token' }, headers))).toEqual([400, 'invalid_request']);
});
