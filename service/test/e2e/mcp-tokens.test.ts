/** The access tokens of apps that people connected: at `/mcp`, and everywhere else. */
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { AGENT_ROUTES } from '../../src/http/agent-routes';
import { signInApp } from '../support/signed-in-app';

async function startWithApp() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path });
  await service.toolkit('shop', (shop) => shop.action({ action: 'who', actionDescription: 'Says who asks' }, (ctx) => ctx.userId));
  return { service, app: await signInApp({ data: folder.path }) };
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
  const { service, app } = await startWithApp();
  const client = await connect(service.url, app.token);
  expect((await client.callTool(who)).content).toEqual([{ type: 'text', text: expect.stringMatching(/^usr_/) }]);
  const { invocations } = await service.owner.json<{ invocations: unknown[] }>('GET', '/v1/invocations');
  expect(invocations).toMatchObject([{ key: { id: app.id }, user: app.grant.personId }]);
});

describe('elsewhere a token of an app is of the wrong kind', () => {
  const refused = { status: 403, code: 'WRONG_KEY_KIND' };

  test('at every route of agents and toolkits, in any spelling, before and after its first use at /mcp', async () => {
    const { service, app } = await startWithApp();
    const routes = AGENT_ROUTES.filter(({ access, path }) => access !== 'anyone' && path !== PATHS.mcp);
    expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining([PATHS.search, PATHS.invoke, PATHS.resolve, PATHS.tokens]));
    for (const use of ['before', 'after']) {
      if (use === 'after') await connect(service.url, app.token);
      for (const { method, path } of routes) {
        const url = service.url + path.replace(/\{\w+\}/, 'shop__who');
        for (const authorization of [`Bearer ${app.token}`, `bearer  ${app.token}`]) {
          const body = method === 'GET' ? {} : { body: JSON.stringify({ action: 'shop__who', payload: {}, query: 'who', ttlSeconds: 60 }) };
          const answer = await fetch(url, { method, headers: { authorization, 'content-type': 'application/json' }, ...body });
          expect([path, { status: answer.status, ...(await answer.json()) }]).toEqual([path, expect.objectContaining(refused)]);
        }
      }
    }
  });

  test('after a call of a key on the same connection', async () => {
    const { service, app } = await startWithApp();
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
