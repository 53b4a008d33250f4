/** Attacks by addresses that toolkits, servers and apps name, at which the service asks: none leads into the operator's network. */
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';
import { type ConnectStage, startConnectStage } from '../../support/connections/connect-stage';
import { FOR_MCP, startSignInServer } from '../../support/connections/mcp-server';
import { startOAuthProvider } from '../../support/connections/oauth-provider';
import { codeOn, type OpenedPage } from '../../support/connections/page-browser';

/** A listener in the operator's network, which counts connections. The stage allows `127.0.0.1` alone. */
async function privateListener() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, connections: () => connections };
}

/** The same machine in other words. Every way to the service's requests gets some, one gets all. */
const somePlaces = (port: number) => [
  ...['https://localhost', 'http://localhost', 'https://127.0.0.2', 'https://[::1]'].map((origin) => `${origin}:${port}/x`),
  'https://169.254.169.254/latest/meta-data',
];
const places = (port: number) => [
  ...['localhost', 'LOCALHOST', 'localhost.', '127.0.0.2', '127.2', '[::1]', '[::ffff:127.0.0.2]', '0.0.0.0', '[::]', '2130706434'].flatMap(
    (host) => [`https://${host}:${port}/x`, `http://${host}:${port}/x`],
  ),
  `https://127.0.0.1@localhost:${port}/x`,
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00:ec2::254]/latest',
  'https://10.0.0.1/x',
];

/** Opens a link of a user, and submits its form. */
async function submit(stage: ConnectStage, fields: Record<string, string> = {}): Promise<OpenedPage> {
  const app = await stage.app();
  const { url } = await app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId: 'u', toolkits: ['github'] });
  const browser = stage.browser();
  return browser.submit(await browser.open(url), fields);
}

const STATIC: ToolkitAuth = { type: 'bearer', from: 'user' };

test('the token endpoint of a toolkit', async () => {
  const stage = await startConnectStage();
  const { port, connections } = await privateListener();
  for (const tokenUrl of places(port)) {
    await stage.asks({ type: 'oauth2', from: 'user', authorizationUrl: 'https://provider.example/auth', tokenUrl });
    await stage.setClient({ clientId: 'c', clientSecret: 'the-client-secret' });
    const app = await stage.app();
    const { url } = await app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId: 'u', toolkits: ['github'] });
    const browser = stage.browser();
    const { left } = await browser.submit(await browser.open(url));
    const state = left!.searchParams.get('state') ?? '';
    const page = await browser.open(`${stage.callbackUrl}?${new URLSearchParams({ code: 'c', state })}`);
    expect([tokenUrl, page.text]).toEqual([tokenUrl, expect.stringContaining('cannot be reached')]);
    expect(page.text).not.toContain('the-client-secret');
  }
  expect(connections()).toBe(0);
});

test('the address that says whose account it is', async () => {
  const stage = await startConnectStage(STATIC);
  const { port, connections } = await privateListener();
  for (const url of somePlaces(port)) {
    await stage.asks({ ...STATIC, account: { url, field: '/login' } });
    codeOn(await submit(stage, { token: 'gho_1' }));
  }
  expect(connections()).toBe(0);
});

test('a remote MCP server, its metadata, and the endpoints of its authorization server', async () => {
  const stage = await startConnectStage();
  const { port, connections } = await privateListener();
  const allowed = await startOAuthProvider({ configuration: FOR_MCP });
  for (const place of somePlaces(port)) {
    await stage.asks({ type: 'oauth2', from: 'user', server: place });
    expect((await submit(stage)).text).toContain('cannot be reached');
    const server = await startSignInServer(place);
    await stage.asks({ type: 'oauth2', from: 'user', server: server.url });
    expect((await submit(stage)).text).toMatch(/cannot be reached|names no authorization server/);
  }
  const provider = await stage.listen((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const evil = { registration_endpoint: `https://localhost:${port}/reg` };
    const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, ...evil };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
  });
  await stage.asks({ type: 'oauth2', from: 'user', server: (await startSignInServer(provider)).url });
  expect((await submit(stage)).text).toContain('cannot be reached');
  expect(allowed.requests).toEqual([]);
  expect(connections()).toBe(0);
});

test('a redirect of a provider, of a server, or of an address of accounts', async () => {
  const stage = await startConnectStage(STATIC);
  const { port, connections } = await privateListener();
  const origin = await stage.listen((_request, response) => response.writeHead(307, { location: `http://127.0.0.2:${port}/` }).end());
  await stage.asks({ ...STATIC, account: { url: `${origin}/me`, field: '/login' } });
  codeOn(await submit(stage, { token: 'gho_1' }));
  await stage.asks({ type: 'oauth2', from: 'user', server: `${origin}/mcp` });
  expect((await submit(stage)).status).toBe(400);
  expect(connections()).toBe(0);
});

test('an authorization server that names a script as its page', async () => {
  const stage = await startConnectStage();
  for (const page of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://evil.example/auth', 'vbscript:x']) {
    const provider = await stage.listen((request, response) => {
      const issuer = `http://${request.headers.host}`;
      if (request.method === 'POST') return response.writeHead(201, { 'content-type': 'application/json' }).end('{"client_id":"c"}');
      const metadata = { issuer, authorization_endpoint: page, token_endpoint: `${issuer}/token`, registration_endpoint: `${issuer}/reg` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    });
    await stage.asks({ type: 'oauth2', from: 'user', server: (await startSignInServer(provider)).url });
    const answered = await submit(stage);
    expect([page, answered.status, answered.left]).toEqual([page, 400, undefined]);
  }
});

test('metadata of another resource or of another issuer lead to no provider', async () => {
  const stage = await startConnectStage();
  const allowed = await startOAuthProvider({ configuration: FOR_MCP });
  const other = await startSignInServer(allowed.issuer);
  for (const resource of ['https://api.example/mcp', other.url.replace('/mcp', '/m'), `${other.url}/below`, 'x', 7, undefined]) {
    const server = await startSignInServer(allowed.issuer);
    server.metadata = { resource };
    await stage.asks({ type: 'oauth2', from: 'user', server: server.url });
    expect((await submit(stage)).text).toContain('metadata are those of another resource');
  }
  const wrong = await startSignInServer(allowed.issuer.replace('127.0.0.1', '127.0.0.1').concat('/tenant'));
  await stage.asks({ type: 'oauth2', from: 'user', server: wrong.url });
  expect((await submit(stage)).text).toMatch(/another issuer|publishes no metadata/);
  expect(allowed.requests).not.toContain('/reg');
});

test("the secret of a toolkit's client goes to no endpoint that the toolkit registers later", async () => {
  const stage = await startConnectStage();
  const provider = await stage.withProvider();
  let asked = 0;
  const evil = await stage.listen((_request, response) => {
    asked++;
    response.end('{}');
  });
  const { authorizationUrl, tokenUrl, revocationUrl, issuer } = provider;
  const auth: ToolkitAuth = { type: 'oauth2', from: 'user', authorizationUrl, tokenUrl, revocationUrl, issuer, scopes: ['openid'] };
  for (const change of [
    { tokenUrl: `${evil}/token` },
    { revocationUrl: `${evil}/revoke` },
    { authorizationUrl: `${evil}/auth` },
    { issuer: evil },
  ]) {
    await stage.asks({ ...auth, ...change });
    const page = await submit(stage);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('its owner has to set the client again')]);
  }
  // A flow that began before the change ends at the endpoints with which it began.
  await stage.asks(auth);
  const app = await stage.app();
  const { url } = await app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId: 'u', toolkits: ['github'] });
  const browser = stage.browser();
  const { left } = await browser.submit(await browser.open(url));
  await stage.asks({ ...auth, tokenUrl: `${evil}/token` });
  expect((await browser.open((await provider.signIn(left!, 'octocat')).href)).text).toContain('Connected');
  expect(asked).toBe(0);
});

test('the webhook of an app', async () => {
  const stage = await startConnectStage<ConsoleService>(STATIC, {}, startConsole);
  const { port, connections } = await privateListener();
  const app = await stage.app();
  const set = (webhookUrl: string) => stage.service.owner.json('PATCH', `${PATHS.keys}/${app.id}`, { connect: { webhookUrl } });
  let changes = 0;
  for (const place of somePlaces(port)) {
    const isSet = await set(place).then(
      () => true,
      () => false,
    );
    if (!isSet) continue;
    const { url } = await app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId: 'u', toolkits: ['github'] });
    const browser = stage.browser();
    const code = codeOn(await browser.submit(await browser.open(url), { token: 't' }));
    await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u' });
    changes++;
  }
  expect(changes).toBeGreaterThan(3);
  for (const url of ['http://evil.example/hook', 'ftp://evil.example/', 'https://u:p@evil.example/', 'https://evil.example/#x', 'x'])
    await expect(set(url)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(connections()).toBe(0);
});

test.each(['javascript:alert(1)', 'http://evil.example/back', 'https://u:p@shop.example/', 'https://shop.example/#x', 'data:text/html,x'])(
  'an app cannot send its users to %s',
  async (returnUrl) => {
    const stage = await startConnectStage<ConsoleService>(STATIC, {}, startConsole);
    const app = await stage.app();
    const change = stage.service.owner.json('PATCH', `${PATHS.keys}/${app.id}`, { connect: { returnUrl } });
    await expect(change).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  },
);
