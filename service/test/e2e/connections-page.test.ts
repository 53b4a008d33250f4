/** The connect page, from the link in the answer of a call to the call that acts with the account. */
import { describe, expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type AuditPage } from '#sdk/protocol/admin';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../test/support/console-service';
import { startConnectStage } from '../support/connections/connect-stage';
import { FOR_MCP, startSignInServer } from '../support/connections/mcp-server';
import { startOAuthProvider } from '../support/connections/oauth-provider';
import { codeOn } from '../support/connections/page-browser';

const BEARER: ToolkitAuth = { type: 'bearer', from: 'user', help: 'A token with the scope repo' };

interface Session {
  url: string;
  expiresAt: string;
}

const consoleStage = (auth: ToolkitAuth) => startConnectStage<ConsoleService>(auth, {}, startConsole);

describe('a user of an app', () => {
  test('connects a token by the form, and calls act with it once the app has confirmed the user', async () => {
    const stage = await startConnectStage(BEARER);
    const app = await stage.app();
    const { url, help, confirm } = await app.required('u_81');
    expect([help, confirm]).toEqual(['A token with the scope repo', true]);

    const browser = stage.browser();
    const page = await browser.open(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Shop bot will act with the account that you connect here, for its user u_81 .');
    const shown = await browser.submit(page, { token: 'gho_secret_1' });
    expect(shown.html).not.toContain('gho_secret_1');
    const code = codeOn(shown);
    await expect(app.call('u_81')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });

    expect(await app.ask('POST', PATHS.connectionConfirmations, { code: code.toLowerCase(), userId: 'u_81' })).toEqual({
      toolkit: 'github',
      name: 'default',
    });
    expect(await app.call('u_81')).toMatchObject({ type: 'bearer', token: 'gho_secret_1' });
    await expect(app.call('u_82')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
    expect((await browser.open(url)).text).toContain('Connected. You can close this page');
  });

  test.each<[string, ToolkitAuth, Record<string, string>, object]>([
    ['an API key', { type: 'apiKey', from: 'user', in: 'query', name: 'key' }, { apiKey: 'k-1' }, { type: 'apiKey', apiKey: 'k-1' }],
    [
      'a user name with its password',
      { type: 'basic', from: 'user' },
      { username: ' ada ', password: ' pass: wörd ' },
      { type: 'basic', username: 'ada', password: ' pass: wörd ' },
    ],
  ])('connects %s', async (_what, auth, fields, connection) => {
    const stage = await startConnectStage(auth);
    const app = await stage.app();
    const browser = stage.browser();
    const code = codeOn(await browser.submit(await browser.open((await app.required('u_81')).url), fields));
    await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' });
    expect(await app.call('u_81')).toMatchObject(connection);
  });

  test('learns at once that a user name has no colon', async () => {
    const stage = await startConnectStage({ type: 'basic', from: 'user' });
    const app = await stage.app();
    const browser = stage.browser();
    const page = await browser.submit(await browser.open((await app.required('u_81')).url), { username: 'ada:1', password: 'x' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('The user name has a colon')]);
  });

  test('connects an account at a provider, and calls act with it', async () => {
    const stage = await startConnectStage();
    const provider = await stage.withProvider();
    const app = await stage.app();
    const { url } = await app.required('u_81');
    const browser = stage.browser();
    const page = await browser.open(url);
    expect(page.text).toContain(`Continue to ${new URL(provider.issuer).host}`);
    expect(page.text).toContain('Access openid repo');
    const { left } = await browser.submit(page);
    const back = await provider.signIn(left!, 'octocat');
    const ended = await browser.open(back.href);
    expect(ended.text).toContain('Connected as octocat');
    expect(new URL(ended.url).pathname).toMatch(/^\/connections\/connect\//);
    const code = codeOn(ended);
    expect(await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' })).toEqual({
      ...{ toolkit: 'github', name: 'default', account: 'octocat' },
    });
    expect(await app.call('u_81')).toMatchObject({ type: 'bearer', token: expect.any(String), account: 'octocat' });
  });

  test('has several accounts by name, and the app lists, chooses and ends them', async () => {
    const stage = await startConnectStage(BEARER);
    const app = await stage.app();
    const browser = stage.browser();
    for (const name of ['work', 'home']) {
      const { url } = await app.ask<Session>('POST', PATHS.connectionSessions, { userId: 'u_81', toolkits: ['github'], name });
      const code = codeOn(await browser.submit(await browser.open(url), { token: `token-of-${name}` }));
      await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' });
    }
    await expect(app.call('u_81')).rejects.toMatchObject({
      details: { connect: { connections: expect.arrayContaining(['work', 'home']) } },
    });
    expect(await app.call('u_81', { [HEADERS.connectionNames]: 'github home' })).toMatchObject({ token: 'token-of-home' });

    const list = async () =>
      (await app.ask<{ connections: { id: string; name: string; default: boolean }[] }>('GET', `${PATHS.connections}?userId=u_81`))
        .connections;
    const connections = await list();
    for (const each of connections) expect(each).toMatchObject({ status: 'live', default: false, toolkit: 'github' });
    const work = connections.find(({ name }) => name === 'work');
    await app.ask('PATCH', `${PATHS.connections}/${work!.id}?userId=u_81`, { default: true });
    expect(await app.call('u_81')).toMatchObject({ token: 'token-of-work' });
    await app.ask('DELETE', `${PATHS.connections}/${work!.id}?userId=u_81`);
    expect(await list()).toMatchObject([{ name: 'home' }]);
    expect(await app.ask('GET', `${PATHS.connections}?userId=u_82`)).toEqual({ connections: [] });
  });

  test('connects all toolkits of a session, one by one, and again after an account ended', async () => {
    const stage = await startConnectStage(BEARER);
    const app = await stage.app();
    const session = await app.ask<Session>('POST', PATHS.connectionSessions, { userId: 'u_81', toolkits: ['github', 'github'] });
    expect(new Date(session.expiresAt).getTime() - Date.now()).toBeGreaterThan(1_700_000);
    const browser = stage.browser();
    for (const token of ['first', 'second']) {
      const { url } = await app.ask<Session>('POST', PATHS.connectionSessions, { userId: 'u_81', toolkits: ['github'] });
      const code = codeOn(await browser.submit(await browser.open(url), { token }));
      await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' });
      expect(await app.call('u_81')).toMatchObject({ token });
    }
  });

  test('reads on the page what went wrong, and tries again', async () => {
    const stage = await startConnectStage();
    const provider = await stage.withProvider();
    const app = await stage.app();
    const { url } = await app.required('u_81');
    const browser = stage.browser();
    const { left } = await browser.submit(await browser.open(url));
    const state = left!.searchParams.get('state') ?? '';
    const denied = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    const page = await browser.open(`${stage.callbackUrl}?${denied}`);
    expect(page.text).toContain('answered the error access_denied. Connect the account again');
    expect((await browser.open(`${stage.callbackUrl}?${denied}`)).text).toContain('access_denied');
    const again = await browser.submit(page);
    const back = await provider.signIn(again.left!, 'octocat');
    expect((await browser.open(back.href)).text).toContain('Connected as octocat');
    // The provider's page, from the history.
    expect((await browser.open(back.href)).text).toContain('Connected as octocat');
  });

  test('learns at once that the key is wrong, where the toolkit can ask the provider', async () => {
    const stage = await startConnectStage();
    const provider = await startOAuthProvider();
    await stage.asks({ ...BEARER, account: { url: provider.accountUrl, field: '/sub' } });
    const app = await stage.app();
    const browser = stage.browser();
    const refused = await browser.submit(await browser.open((await app.required('u_81')).url), { token: 'gho_wrong' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('refused the credential with 401: check it')]);
    expect(refused.html).not.toContain('gho_wrong');
    expect((await browser.submit(refused, { token: 'a b' })).text).toContain('The token has spaces');
    expect((await browser.submit(refused, {})).text).toContain('The token is empty');
  });
});

describe('an app', () => {
  test('gets its users back with a code, and a signed message about each change', async () => {
    const stage = await consoleStage(BEARER);
    const { service } = stage;
    const app = await stage.app();
    const received: { headers: Record<string, unknown>; body: Record<string, unknown> }[] = [];
    const hook = await stage.listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(received.length === 1 ? 500 : 200).end();
    });
    const settings = { returnUrl: 'https://shop.example/connected?from=svc', webhookUrl: `${hook}/hook` };
    const changed = await service.owner.json<{ connect: { webhookSecret: string } }>('PATCH', `${PATHS.keys}/${app.id}`, {
      connect: settings,
    });
    expect(changed.connect).toEqual({ ...settings, webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const { keys } = await service.owner.json<{ keys: { id: string }[] }>('GET', PATHS.keys);
    expect(keys.find(({ id }) => id === app.id)).toMatchObject({ connect: settings });
    expect(JSON.stringify(keys)).not.toContain(changed.connect.webhookSecret);

    const required = await app.required('u_81');
    expect(required).not.toHaveProperty('confirm');
    const browser = stage.browser();
    const { left } = await browser.submit(await browser.open(required.url), { token: 'gho_1' });
    expect(left?.href).toMatch(/^https:\/\/shop\.example\/connected\?from=svc&code=[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}&toolkit=github$/);
    expect((await browser.open(required.url)).text).toContain('Back to Shop bot');
    await app.ask('POST', PATHS.connectionConfirmations, { code: left!.searchParams.get('code'), userId: 'u_81' });

    // The first try failed.
    await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 30_000 });
    const { connections } = await app.ask<{ connections: { id: string }[] }>('GET', `${PATHS.connections}?userId=u_81`);
    const change = { type: 'connection.changed', connection: connections[0]!.id, toolkit: 'github', userId: 'u_81' };
    expect(received.map(({ body }) => body)).toEqual([0, 1].map(() => ({ ...change, status: 'live' })));
    expect(received[0]!.headers['webhook-id']).toBe(received[1]!.headers['webhook-id']);
    await app.ask('DELETE', `${PATHS.connections}/${connections[0]!.id}?userId=u_81`);
    await vi.waitFor(() => expect(received[2]?.body).toEqual({ ...change, status: 'removed' }));

    const { Webhook } = await import('standardwebhooks');
    const { headers, body } = received[2]!;
    const verifier = new Webhook(changed.connect.webhookSecret);
    expect(verifier.verify(JSON.stringify(body), headers as Record<string, string>)).toEqual(body);
  });
});

describe('people of the console', () => {
  test.each<[string, ToolkitAuth['from']]>([
    ['everyone', 'everyone'],
    ['an agent key', 'agent'],
  ])('connect the account of %s after they signed in, and no other person does', async (_who, from) => {
    const stage = await consoleStage({ type: 'bearer', from });
    const { service } = stage;
    const app = await stage.app();
    const { url } = await app.required('u_81');
    const stranger = stage.browser();
    const { pathname } = new URL(url);
    expect((await stranger.open(url)).left?.href).toBe(`${service.url}/sign-in?from=${encodeURIComponent(pathname)}`);
    expect((await stranger.post(pathname, { toolkit: 'github', token: 'stolen' })).left?.pathname).toBe('/sign-in');
    const mia = await service.join('mia');
    const refused = await stage.browser(mia.cookie).open(url);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('You are signed in as mia, who may not connect it.')]);

    const browser = stage.browser(service.owner.cookie);
    expect((await browser.submit(await browser.open(url), { token: 'gho_shared' })).text).toContain('Connected. You can close this page');
    expect(await app.call('u_81')).toMatchObject({ token: 'gho_shared' });
    expect(await app.call()).toMatchObject({ token: 'gho_shared' });
    const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
    expect(entries[0]).toMatchObject({ what: 'connection.connect', subject: 'github', actor: { kind: 'person', id: service.owner.id } });
    expect(JSON.stringify(entries)).not.toContain('gho_shared');
  });

  test('connect at a provider, and only with the session with which they began', async () => {
    const stage = await consoleStage({ type: 'bearer', from: 'everyone' });
    const provider = await stage.withProvider({ from: 'everyone' });
    const app = await stage.app();
    const { url } = await app.required('u_81');
    const browser = stage.browser(stage.service.owner.cookie);
    const { left } = await browser.submit(await browser.open(url));
    const back = await provider.signIn(left!, 'operator');
    const session = [...browser.jar.cookies].filter(([name]) => name !== 'svc-connect');
    for (const [name] of session) browser.jar.cookies.delete(name);
    expect((await browser.open(back.href)).left?.pathname).toBe('/sign-in');
    for (const [name, value] of session) browser.jar.cookies.set(name, value);
    const page = await browser.open(url);
    expect(page.text).toContain('You are not signed in any more as the person who began');
    const again = await browser.submit(page);
    expect((await browser.open((await provider.signIn(again.left!, 'operator')).href)).text).toContain('Connected as operator');
    expect(await app.call()).toMatchObject({ account: 'operator' });
  });
});

test('without a console, on this machine, the opener of the page connects, and the log says so', async () => {
  const warnings: [object, string][] = [];
  const logger = { info() {}, error() {}, warn: (fields: object, message: string) => warnings.push([fields, message]) };
  const stage = await startConnectStage({ type: 'bearer', from: 'everyone' }, { logger });
  const app = await stage.app();
  const { url } = await app.required('u_81');
  const browser = stage.browser();
  const byOtherName = await fetch(url.replace('127.0.0.1', 'localhost'), { redirect: 'manual' });
  expect([byOtherName.status, byOtherName.headers.get('location')]).toEqual([303, url]);
  await browser.submit(await browser.open(url), { token: 'gho_local' });
  expect(await app.call()).toMatchObject({ token: 'gho_local' });
  expect(warnings).toEqual([[{ toolkit: 'github' }, expect.stringContaining('a browser on this machine connected an account')]]);
});

describe('a toolkit of a remote MCP server', () => {
  test('needs no client of its owner: the service discovers the authorization server, and registers itself', async () => {
    const stage = await startConnectStage();
    const provider = await startOAuthProvider({ configuration: FOR_MCP });
    const server = await startSignInServer(provider.issuer);
    await stage.asks({ type: 'oauth2', from: 'user', server: server.url });
    const app = await stage.app();
    const browser = stage.browser();
    for (const userId of ['u_81', 'u_82']) {
      const { left } = await browser.submit(await browser.open((await app.required(userId)).url));
      expect(left!.searchParams.get('resource')).toBe(server.url);
      const page = await browser.open((await provider.signIn(left!, userId)).href);
      await app.ask('POST', PATHS.connectionConfirmations, { code: codeOn(page), userId });
      expect(await app.call(userId)).toMatchObject({ type: 'bearer', token: expect.any(String) });
    }
    expect(provider.requests.filter((path) => path === '/reg')).toHaveLength(1);
  });

  test('whose server has another issuer now: its accounts are connected again, with a new client', async () => {
    const stage = await startConnectStage();
    const [before, after] = [
      await startOAuthProvider({ configuration: FOR_MCP, accessTokenSeconds: 1 }),
      await startOAuthProvider({ configuration: FOR_MCP }),
    ];
    const server = await startSignInServer(before.issuer);
    await stage.asks({ type: 'oauth2', from: 'user', server: server.url });
    const app = await stage.app();
    const browser = stage.browser();
    const connect = async (provider: typeof before, userId: string) => {
      const { left } = await browser.submit(
        await browser.open((await app.ask<Session>('POST', PATHS.connectionSessions, { userId, toolkits: ['github'] })).url),
      );
      expect(left!.origin).toBe(provider.issuer);
      const page = await browser.open((await provider.signIn(left!, userId)).href);
      await app.ask('POST', PATHS.connectionConfirmations, { code: codeOn(page), userId });
    };
    await connect(before, 'u_81');
    server.issuer = after.issuer;
    await connect(after, 'u_82');
    // The token of u_81 has expired: it is refreshed at neither provider.
    const refreshes = () => [...before.requests, ...after.requests].filter((path) => path === '/token').length;
    const used = refreshes();
    await vi.waitFor(() => expect(app.call('u_81')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' }), {
      timeout: 10_000,
      interval: 100,
    });
    expect(refreshes()).toBeLessThanOrEqual(used);
    expect(await app.call('u_82')).toMatchObject({ type: 'bearer' });
  });
});
