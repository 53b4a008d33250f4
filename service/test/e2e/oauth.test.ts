/** A client signs a person in with nothing but the URL, over raw HTTP. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { AuditPage, AuthorizationRequest, ConnectedAppsPage, OwnedKeysPage } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { type SignedInPerson, startConsole } from '../../../test/support/console-service';
import { startService } from '../../../test/support/service';
import { OAuthClient, ping, postJson, REDIRECT, tokensOf } from '../support/oauth-client';

const REQUESTS = `${ADMIN_PATHS.oauth}/requests`;
const apps = async (person: SignedInPerson) => (await person.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps)).apps;
const errorOf = async (response: Response) => ({ status: response.status, error: (await response.json()).error });

test('the metadata name what a client needs, at both well-known addresses', async () => {
  const { url } = await startConsole();
  const resource = await (await fetch(`${url}${PATHS.protectedResource}${PATHS.mcp}`)).json();
  expect(resource).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url], scopes_supported: ['tools'] });
  const response = await fetch(url + OAUTH_PATHS.authorizationServer, { headers: { origin: 'https://app.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const metadata = await response.json();
  expect(metadata).toMatchObject({
    issuer: url,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  expect(await (await fetch(url + OAUTH_PATHS.openIdConfiguration)).json()).toEqual(metadata);
});

test('a person connects an app, which calls, refreshes and is disconnected', async () => {
  const { url, owner, join } = await startConsole();
  const ada = await join('ada');
  const client = await OAuthClient.register(url, { client_name: 'Probe‮ ' });
  const shown = await ada.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query() });
  expect(shown).toEqual({ client: { name: 'Probe', host: 'localhost' }, redirectTo: 'localhost', keyName: 'Probe (localhost)' });

  const answer = await client.decide(ada, { limits: { callsPerMinute: 7, allow: { toolkits: ['shop'] } } });
  expect(answer).toEqual({ code: expect.stringMatching(/^svc_code_/), state: 'a state', iss: url });
  const tokens = await tokensOf(await client.exchange(answer.code ?? ''));
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'tools offline_access' });
  expect((await ping(url, tokens.access_token)).status).toBe(200);

  const [app] = await apps(ada);
  expect(app).toMatchObject({
    name: 'Probe (localhost)',
    client: { name: 'Probe', host: 'localhost' },
    callsPerMinute: 7,
    allow: { toolkits: ['shop'], actions: [] },
    owner: { id: ada.id, name: 'ada' },
    signIns: 1,
  });
  const known = await ada.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query() });
  expect(known).toMatchObject({ key: { id: app?.id, callsPerMinute: 7 } });

  const next = await tokensOf(await client.refresh(tokens.refresh_token));
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  expect((await ping(url, next.access_token)).status).toBe(200);

  expect((await ada.json<OwnedKeysPage>('GET', PATHS.keys)).keys).toMatchObject([{ id: app?.id, app: true }]);
  await expect(ada.json('POST', `${PATHS.keys}/${app?.id}/rotate`)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

  const bob = await join('bob');
  expect(await apps(bob)).toEqual([]);
  expect(await apps(owner)).toHaveLength(1);
  await expect(bob.json('DELETE', `${ADMIN_PATHS.connectedApps}/${app?.id}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const _time of ['the first', 'the second'])
    expect((await ada.ask('DELETE', `${ADMIN_PATHS.connectedApps}/${app?.id}`)).status).toBe(204);
  expect(await apps(owner)).toEqual([]);
  expect((await ping(url, next.access_token)).status).toBe(401);
  expect(await errorOf(await client.refresh(next.refresh_token))).toEqual({ status: 400, error: 'invalid_grant' });

  const { entries } = await owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries.filter(({ what }) => what.startsWith('app.')).map(({ what, subject }) => [what, subject])).toEqual([
    ['app.disconnect', app?.id],
    ['app.connect', app?.id],
  ]);
  for (const secret of [tokens.access_token, tokens.refresh_token, answer.code]) expect(JSON.stringify(entries)).not.toContain(secret);
});

test('a second sign-in of the same app shares the key; each ends alone by revocation', async () => {
  const { url, owner } = await startConsole();
  const laptop = await OAuthClient.register(url, { redirect_uris: ['http://localhost:1111/cb'] });
  const desk = await OAuthClient.register(url, { redirect_uris: ['http://localhost:2222/cb'] });
  const [first, second] = [await laptop.signIn(owner), await desk.signIn(owner)];
  expect(await apps(owner)).toMatchObject([{ signIns: 2 }]);
  expect((await laptop.revoke(first.refresh_token)).status).toBe(200);
  expect(await apps(owner)).toMatchObject([{ signIns: 1 }]);
  expect(await errorOf(await laptop.refresh(first.refresh_token))).toMatchObject({ error: 'invalid_grant' });
  await expect.poll(async () => (await ping(url, first.access_token)).status).toBe(401);
  expect((await ping(url, second.access_token)).status).toBe(200);
  expect((await desk.revoke(second.access_token)).status).toBe(200);
  await expect.poll(async () => (await ping(url, second.access_token)).status).toBe(401);
  expect((await desk.revoke('no token at all')).status).toBe(200);
});

test('a refresh that is repeated soon has the same successor, and an older one ends the sign-in', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url);
  const first = await client.signIn(owner);
  const both = await Promise.all([client.refresh(first.refresh_token), client.refresh(first.refresh_token)]);
  const [second, again] = await Promise.all(both.map(tokensOf));
  expect(again?.refresh_token).toBe(second?.refresh_token);
  const third = await tokensOf(await client.refresh(second?.refresh_token ?? ''));
  expect(await errorOf(await client.refresh(first.refresh_token))).toEqual({ status: 400, error: 'invalid_grant' });
  expect(await errorOf(await client.refresh(third.refresh_token))).toEqual({ status: 400, error: 'invalid_grant' });
  await expect.poll(async () => (await ping(url, third.access_token)).status).toBe(401);
  const { entries } = await owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries[0]).toMatchObject({ what: 'app.replay', details: { name: 'Probe (localhost)' } });
});

test('an owner decides who may connect which apps', async () => {
  const { url, owner, join } = await startConsole();
  const ada = await join('ada');
  const local = await OAuthClient.register(url);
  const hosted = await OAuthClient.register(url, { redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] });
  const ask = (person: SignedInPerson, client: OAuthClient) => person.json('POST', REQUESTS, { query: client.query() });
  const refused = { code: 'NOT_PERMITTED' };
  await owner.json('PATCH', ADMIN_PATHS.settings, { connectAppHosts: ['claude.ai'] });
  expect(await ask(ada, hosted)).toMatchObject({ redirectTo: 'claude.ai' });
  await expect(ask(ada, local)).rejects.toMatchObject(refused);
  await owner.json('PATCH', ADMIN_PATHS.settings, { connectApps: 'owners' });
  await expect(ask(ada, hosted)).rejects.toMatchObject(refused);
  expect(await ask(owner, hosted)).toMatchObject({ redirectTo: 'claude.ai' });
  await owner.json('PATCH', ADMIN_PATHS.settings, { connectApps: 'off' });
  await expect(ask(owner, hosted)).rejects.toMatchObject(refused);
  await expect(hosted.code(owner)).rejects.toMatchObject(refused);
});

test('only a person decides, and only an owner gives a budget', async () => {
  const service = await startConsole();
  const { url, owner, join } = service;
  const client = await OAuthClient.register(url);
  const limits = { budget: { perCall: '0.10', perDay: '1' } };
  await expect(client.code(await join('ada'), { limits })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await client.code(owner, { limits });
  const admin = await service.keys.create({ kind: 'admin', name: 'script' });
  const asked = service.as(admin.key).json('POST', REQUESTS, { query: client.query() });
  await expect(asked).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await expect(service.as().json('POST', REQUESTS, { query: client.query() })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' });
});

test('the page shows a wrong client or redirect, and other errors take a link back to the client', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url);
  const ask = (changed: Record<string, string | undefined>) =>
    owner.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query(changed) });
  for (const changed of [{ client_id: 'svc_client_x' }, { client_id: undefined }, { redirect_uri: 'https://evil.example/cb' }])
    await expect(ask(changed)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(owner.json('POST', REQUESTS, { query: `${client.query()}&state=second` })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  for (const [changed, error] of [
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ request: 'eyJ' }, 'request_not_supported'],
  ] as const) {
    const shown = await ask(changed);
    if (!('problem' in shown)) throw new Error(`${JSON.stringify(changed)} was accepted`);
    const { searchParams, origin } = new URL(shown.redirect);
    expect([origin, shown.redirectTo]).toEqual([new URL(REDIRECT).origin, 'localhost']);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'a state', iss: url });
  }
  expect(await client.decide(owner, { decision: 'deny' })).toMatchObject({ error: 'access_denied', state: 'a state', iss: url });
  // Scopes and members of other servers are ignored.
  expect(await ask({ scope: 'openid mcp:tools', prompt: 'consent', state: undefined })).toMatchObject({ redirectTo: 'localhost' });
});

test('a request that is not one of OAuth gets a clear error', async () => {
  const { url } = await startConsole();
  const client = await OAuthClient.register(url, { token_endpoint_auth_method: 'client_secret_basic' });
  expect(await errorOf(await postJson(url + OAUTH_PATHS.oauthToken, { grant_type: 'refresh_token' }))).toEqual({
    status: 400,
    error: 'invalid_request',
  });
  expect(await errorOf(await client.token({ grant_type: 'password' }))).toEqual({ status: 400, error: 'unsupported_grant_type' });
  expect(await errorOf(await client.token({ grant_type: 'refresh_token', client_secret: 'wrong' }))).toEqual({
    status: 401,
    error: 'invalid_client',
  });
  const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${encodeURIComponent(client.registration.client_id)}:${secret}`)}` });
  const byHeader = { client_id: undefined, client_secret: undefined, grant_type: 'refresh_token', refresh_token: 'svc_refresh_x.0.y' };
  const wrong = await client.token(byHeader, basic('wrong'));
  expect(wrong.headers.get('www-authenticate')).toBe('Basic realm="svc-sdk"');
  expect(wrong.status).toBe(401);
  expect(await errorOf(await client.token(byHeader, basic(client.registration.client_secret ?? '')))).toEqual({
    status: 400,
    error: 'invalid_grant',
  });
  expect((await fetch(url + OAUTH_PATHS.oauthToken)).status).toBe(404);
  expect(
    (await postJson(url + OAUTH_PATHS.registerClient, { redirect_uris: ['https://good.example/cb'], client_name: 'x'.repeat(20_000) }))
      .status,
  ).toBe(413);
});

test('an app gets the limits that its person saw, or nothing', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url);
  const limits = { allow: { toolkits: ['shop'] } };
  const conflict = { code: 'CONFLICT' };
  await client.signIn(owner, { limits, key: null });
  const [{ id } = { id: '' }] = await apps(owner);
  // The limits of a second page, which was open before, would not hold: the key keeps its own.
  await expect(client.code(owner, { limits: { allow: { toolkits: ['mail'] } }, key: null })).rejects.toMatchObject(conflict);
  await client.signIn(owner, { key: id });
  await owner.ask('DELETE', `${ADMIN_PATHS.connectedApps}/${id}`);
  // The page shows a limited key, which has ended: a new one would have no limits.
  await expect(client.code(owner, { key: id })).rejects.toMatchObject(conflict);
  expect(await apps(owner)).toEqual([]);
});

test('an error is one of OAuth, with a description in the characters that it may have', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url);
  const notJson = await fetch(url + OAUTH_PATHS.registerClient, { method: 'POST', body: '{' });
  expect(await errorOf(notJson)).toEqual({ status: 400, error: 'invalid_client_metadata' });
  const missing = [client.token({}), client.token({ grant_type: 'authorization_code' }), client.token({ grant_type: 'refresh_token' })];
  for (const answer of await Promise.all([...missing, client.revoke('')]))
    expect(await errorOf(answer)).toEqual({ status: 400, error: 'invalid_request' });

  const resource = 'https://other.example/"\\ü';
  const descriptions = [
    (await (await client.token({ grant_type: 'refresh_token', resource })).json()).error_description,
    (await client.decide(owner, { query: client.query({ resource }) })).error_description,
    (await (await postJson(url + OAUTH_PATHS.registerClient, { redirect_uris: ['http://other.example'] })).json()).error_description,
  ];
  for (const description of descriptions) expect(description).toMatch(/^[ !#-[\]-~]+other\.example[ !#-[\]-~]+$/);
});

test('an app that calls /mcp by another name than the public one signs in at the public URL', async () => {
  const publicUrl = 'https://tools.example.com';
  const { url, owner } = await startConsole({ console: { publicUrl }, allowedHosts: ['tools.internal'] });
  const { port } = new URL(url);
  const client = await OAuthClient.register(url);
  const atPublicUrl = async (path: string, headers: Record<string, string>, body: string) => {
    const proxied = { host: 'tools.example.com', 'x-forwarded-proto': 'https', origin: publicUrl, cookie: owner.cookie };
    const request = httpRequest(url + path, { method: 'POST', headers: { ...proxied, ...headers } }).end(body);
    const [response] = await once(request, 'response');
    return JSON.parse(await text(response));
  };
  const proxied = httpRequest(`${url}${PATHS.protectedResource}${PATHS.mcp}`, { headers: { host: 'tools.example.com' } }).end();
  const [metadata] = await once(proxied, 'response');
  // A proxy that forgets X-Forwarded-Proto.
  expect(JSON.parse(await text(metadata))).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl] });
  const decide = async (resource: string) => {
    const body = JSON.stringify({ query: client.query({ resource }), decision: 'allow' });
    const { redirect } = await atPublicUrl(`${ADMIN_PATHS.oauth}/decisions`, { 'content-type': 'application/json' }, body);
    return Object.fromEntries(new URL(redirect).searchParams);
  };
  for (const origin of [
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    'https://tools.internal',
    `http://tools.internal:${port}`,
  ]) {
    const { code = '', ...answer } = await decide(`${origin}/mcp`);
    expect(answer).toEqual({ state: 'a state', iss: publicUrl });
    const form = { grant_type: 'authorization_code', code, client_id: client.registration.client_id, code_verifier: client.verifier };
    const exchanged = new URLSearchParams({ ...form, redirect_uri: client.redirect, resource: `${origin}/mcp` }).toString();
    const tokens = await atPublicUrl(OAUTH_PATHS.oauthToken, { 'content-type': 'application/x-www-form-urlencoded' }, exchanged);
    expect((await ping(url, tokens.access_token)).status).toBe(200);
  }
  // Another port is another program.
  for (const origin of ['http://127.0.0.1:1', 'http://localhost', 'https://tools.internal:1', `http://tools.example.com:${port}`])
    expect(await decide(`${origin}/mcp`)).toMatchObject({ error: 'invalid_target' });
});

test('without a console there is no authorization server', async () => {
  const { url } = await startService();
  expect((await fetch(url + OAUTH_PATHS.authorizationServer)).status).toBe(404);
  expect((await postJson(url + OAUTH_PATHS.registerClient, {})).status).toBe(404);
  expect(await (await fetch(`${url}${PATHS.protectedResource}${PATHS.mcp}`)).json()).not.toHaveProperty('authorization_servers');
});
