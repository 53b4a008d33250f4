/** The access tokens of apps that people connected: at `/mcp`, and everywhere else. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, extractWWWAuthenticateParams, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServiceOptions } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { startService } from '../../../test/support/service';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { AGENT_ROUTES } from '../../src/http/agent-routes';
import { signInApp } from '../support/signed-in-app';

async function startWithApp(options: ServiceOptions = {}, token: Parameters<typeof signInApp>[1] = {}) {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path, ...options });
  const location = { data: folder.path };
  return { service, location, app: await signInApp(location, token) };
}

async function startShop() {
  const stage = await startWithApp();
  await stage.service.toolkit('shop', (shop) => shop.action({ action: 'who', actionDescription: 'Says who asks' }, (ctx) => ctx.userId));
  return stage;
}

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

const who = { name: 'invoke_service', arguments: { action: 'shop__who', payload: {} } };

test('a token of an app calls at /mcp, as its key and for its person, whom the handler cannot tell', async () => {
  const { service, app } = await startShop();
  const client = await connect(service.url, app.token);
  expect((await client.callTool(who)).content).toEqual([{ type: 'text', text: expect.stringMatching(/^usr_/) }]);
  const { invocations } = await service.owner.json<{ invocations: unknown[] }>('GET', '/v1/invocations');
  expect(invocations).toMatchObject([{ key: { id: app.id }, user: app.grant.personId }]);
});

describe('elsewhere a token of an app is of the wrong kind', () => {
  const refused = { status: 403, code: 'WRONG_KEY_KIND' };

  test('at every route of agents and toolkits, in any spelling, before and after its first use at /mcp', async () => {
    const { service, app } = await startShop();
    const routes = AGENT_ROUTES.filter(({ access, path }) => access !== 'anyone' && path !== PATHS.mcp);
    expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining([PATHS.search, PATHS.invoke, PATHS.resolve, PATHS.tokens]));
    for (const use of ['before', 'after']) {
      if (use === 'after') await connect(service.url, app.token);
      for (const { method, path } of routes) {
        const url = service.url + path.replace(/\{\w+\}/, path.startsWith(PATHS.invocations) ? 'inv_1' : 'shop__who');
        for (const authorization of [`Bearer ${app.token}`, `bearer  ${app.token}`]) {
          const body = method === 'GET' ? {} : { body: JSON.stringify({ action: 'shop__who', payload: {}, query: 'who', ttlSeconds: 60 }) };
          const answer = await fetch(url, { method, headers: { authorization, 'content-type': 'application/json' }, ...body });
          expect([path, { status: answer.status, ...(await answer.json()) }]).toEqual([path, expect.objectContaining(refused)]);
        }
      }
    }
  });

  test('after a call of a key on the same connection', async () => {
    const { service, app } = await startShop();
    const { key } = await service.keys.create({ kind: 'agent', name: 'of the operator' });
    // `fetch` keeps the connection, whose last key the service remembers.
    for (const [bearer, status] of [
      [key, 200],
      [app.token, 403],
      [key, 200],
      [app.token, 403],
    ] as const) {
      const answer = await service.as(bearer).ask('POST', PATHS.invoke, { action: 'shop__who', payload: {} });
      expect([bearer === key, answer.status]).toEqual([bearer === key, status]);
      await answer.text();
    }
  });

  test('at the socket of toolkits', async () => {
    const { service, app } = await startWithApp();
    const headers = { authorization: `Bearer ${app.token}` };
    const socket = new WebSocket(service.url.replace('http', 'ws') + PATHS.toolkitSocket, { headers });
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(403);
    response.destroy();
  });

  test('at the admin API', async () => {
    const { service, app } = await startWithApp();
    const asker = service.as(app.token);
    for (const { method, path } of ADMIN_ROUTES.filter(({ access }) => access === 'person' || typeof access === 'object')) {
      const { status } = await asker.ask(method, path.replaceAll(/\{\w+\}/g, app.id), method === 'GET' ? undefined : {});
      expect([method, path, [401, 403].includes(status)]).toEqual([method, path, true]);
    }
  });
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function ping(url: string, bearer?: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...JSON_HEADERS, ...authorization, ...headers }, body: PING });
}

const METADATA = `${PATHS.protectedResource}${PATHS.mcp}`;

describe('a refusal that begins a sign-in or a refresh', () => {
  const challenged = (url: string, description: string) =>
    `Bearer error="invalid_token", error_description="${description}", resource_metadata="${url}${METADATA}", scope="tools"`;

  test('without a token: 401 with the metadata and the scope', async () => {
    const { service } = await startWithApp();
    const answer = await ping(service.url);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${service.url}${METADATA}", scope="tools"`,
    ]);
    expect(await answer.json()).toMatchObject({ status: 401, code: 'INVALID_KEY' });
  });

  test('an expired token', async () => {
    const { service, app } = await startWithApp({}, { ttlSeconds: -1 });
    const answer = await ping(service.url, app.token);
    const { code, detail } = await answer.clone().json();
    expect([answer.status, code]).toEqual([401, 'KEY_EXPIRED']);
    expect(answer.headers.get('www-authenticate')).toBe(challenged(service.url, detail));
    expect(extractWWWAuthenticateParams(answer)).toEqual({
      error: 'invalid_token',
      errorDescription: detail,
      resourceMetadataUrl: new URL(service.url + METADATA),
      scope: 'tools',
    });
  });

  test('an expired token in the official clients, v1 and v2: they get another one and go on', async () => {
    const { service, app: expired, location } = await startWithApp({}, { ttlSeconds: -1 });
    const { token: fresh } = await signInApp(location);
    const url = new URL(`${service.url}/mcp`);
    const optionsOf = (asked: string[]) => {
      let tokens = { access_token: expired.token, token_type: 'Bearer', refresh_token: 'svc_refresh_1', issuer: service.url };
      const authProvider = {
        redirectUrl: 'http://127.0.0.1/callback',
        clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
        clientInformation: async () => ({ client_id: 'client', issuer: service.url }),
        tokens: async () => tokens,
        saveTokens: async (saved: typeof tokens) => {
          tokens = saved;
        },
        redirectToAuthorization: async () => expect.unreachable('a person must sign in'),
        saveCodeVerifier: async () => {},
        codeVerifier: async () => 'verifier',
      };
      const watched = async (input: string | URL, init?: RequestInit) => {
        asked.push(new URL(input).pathname);
        if (!String(init?.body).includes('grant_type=refresh_token')) return fetch(input, init);
        return Response.json({ ...tokens, access_token: fresh });
      };
      return { authProvider, fetch: watched } as never;
    };
    const asked: Record<'v1' | 'v2', string[]> = { v1: [], v2: [] };
    const v2 = new Client({ name: 'test', version: '1' });
    onTestFinished(() => v2.close());
    await v2.connect(new StreamableHTTPClientTransport(url, optionsOf(asked.v2)));
    const v1 = new ClientV1({ name: 'test', version: '1' });
    onTestFinished(() => v1.close());
    await v1.connect(new StreamableHTTPClientTransportV1(url, optionsOf(asked.v1)) as never);
    for (const paths of Object.values(asked)) expect(paths).toContain(METADATA);
    for (const client of [v1, v2]) expect(await client.ping()).toEqual({});
  });

  test('a token whose grant ended, which was good before', async () => {
    const { service, app } = await startWithApp();
    expect((await ping(service.url, app.token)).status).toBe(200);
    await app.end();
    const answer = await vi.waitFor(
      async () => {
        const refused = await ping(service.url, app.token);
        expect(refused.status).toBe(401);
        return refused;
      },
      { timeout: 10_000 },
    );
    const { code, detail } = await answer.json();
    expect([code, answer.headers.get('www-authenticate')]).toEqual(['KEY_REVOKED', challenged(service.url, detail)]);
    expect(detail).toContain('sign in again');
  });

  test('a token whose key was revoked', async () => {
    const { service, app } = await startWithApp();
    expect((await ping(service.url, app.token)).status).toBe(200);
    await service.keys.revoke(app.id);
    const answer = await ping(service.url, app.token);
    const { code, detail } = await answer.json();
    expect([answer.status, code, answer.headers.get('www-authenticate')]).toEqual([401, 'KEY_REVOKED', challenged(service.url, detail)]);
  });

  test.each(['svc_token_', 'svc_token_garbage', 'svc_token_e30.e30', 'svc_token_"\\"'])(
    '%s, which this service did not sign',
    async (token) => {
      const { url } = await startConsole();
      const answer = await ping(url, token);
      expect(answer.status).toBe(401);
      const header = answer.headers.get('www-authenticate') ?? '';
      expect(header).toMatch(
        /^Bearer error="invalid_token", error_description="[ !#-[\]-~]+", resource_metadata="[^"\\]+", scope="tools"$/,
      );
      expect(await answer.json()).toMatchObject({ code: 'INVALID_KEY' });
    },
  );
});

test('a refused key begins no sign-in: its user must send another one', async () => {
  const { service } = await startWithApp();
  const revoked = await service.keys.create({ kind: 'agent', name: 'revoked' });
  const { token } = await service.as(revoked.key).json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 60 });
  expect((await ping(service.url, token)).status).toBe(200);
  await service.keys.revoke(revoked.id);
  for (const [bearer, code] of [
    [revoked.key, 'KEY_REVOKED'],
    [token, 'KEY_REVOKED'],
    ['svc_agent_nonsense', 'INVALID_KEY'],
    ['of-another-service', 'INVALID_KEY'],
  ] as const) {
    const answer = await ping(service.url, bearer);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(await answer.json()).toMatchObject({ status: 403, code });
  }
});

interface RawAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `fetch` sends no other `Host`. */
async function raw(url: string, headers: Record<string, string>, method = 'GET'): Promise<RawAnswer> {
  const request = httpRequest(url, { method, headers });
  request.end(method === 'POST' ? PING : undefined);
  const [response] = await once(request, 'response');
  const body = await text(response);
  return { status: response.statusCode, headers: response.headers, body };
}

describe('the metadata of the resource', () => {
  test('name the issuer and the scope, for pages of any origin', async () => {
    const { url } = await startConsole();
    for (const path of [METADATA, PATHS.protectedResource]) {
      const answer = await fetch(url + path, { headers: { origin: 'https://inspector.example' } });
      expect(await answer.json()).toEqual({
        resource: `${url}/mcp`,
        authorization_servers: [url],
        scopes_supported: ['tools'],
        bearer_methods_supported: ['header'],
        resource_name: 'svc-sdk',
        resource_documentation: `${url}/v1/openapi.json`,
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();

      const asked = { origin: 'https://inspector.example', 'access-control-request-headers': 'mcp-protocol-version' };
      const preflight = await fetch(url + path, { method: 'OPTIONS', headers: { ...asked, 'access-control-request-method': 'GET' } });
      expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, '*, authorization']);
    }
    // Its pages may not call the service.
    expect((await ping(url, undefined, { origin: 'https://inspector.example' })).status).toBe(403);
  });

  test('name the address of the caller as the resource, and the public URL as the issuer', async () => {
    const { url } = await startConsole({ console: { publicUrl: 'https://tools.example.com' } });
    const issuer = 'https://tools.example.com';
    expect(await (await fetch(url + METADATA)).json()).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [issuer] });
    const headers = { host: 'tools.example.com', 'x-forwarded-proto': 'https' };
    const { body } = await raw(url + METADATA, headers);
    expect(JSON.parse(body)).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] });
    const refused = await raw(`${url}/mcp`, { ...headers, ...JSON_HEADERS }, 'POST');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${issuer}${METADATA}", scope="tools"`,
    ]);
    expect((await raw(url + METADATA, { host: 'evil.example.com' })).status).toBe(403);
  });
});

test.each<[string, ServiceOptions, Record<string, string>]>([
  ['the console is off', {}, {}],
  [
    'the caller uses a name of the network and there is no public URL',
    { console: true, allowedHosts: ['svc.internal'] },
    { host: 'svc.internal' },
  ],
])('while %s there is no issuer, so no token begins a sign-in', async (_why, options, host) => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { url } = await startService({ data: folder.path, ...options });
  const app = await signInApp({ data: folder.path }, { ttlSeconds: -1 });
  const challengeOf = async (headers: Record<string, string>) => {
    const answer = await raw(`${url}/mcp`, { ...host, ...JSON_HEADERS, ...headers }, 'POST');
    return [answer.status, answer.headers['www-authenticate']];
  };
  expect(await challengeOf({})).toEqual([401, expect.stringMatching(/^Bearer resource_metadata="[^"]+"$/)]);
  expect(await challengeOf({ authorization: `Bearer ${app.token}` })).toEqual([403, undefined]);
  const metadata = JSON.parse((await raw(url + METADATA, host)).body);
  expect(Object.keys(metadata)).toEqual(['resource', 'bearer_methods_supported', 'resource_name', 'resource_documentation']);
});
