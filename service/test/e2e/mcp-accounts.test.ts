/** Accounts at `/mcp`: the client's credentials by header, and the accounts that its user connects. */
import { Client, type ClientOptions, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { startConnectable } from '../../../test/support/connectable';
import { startConsole } from '../../../test/support/console-service';
import { startService, type TestService } from '../../../test/support/service';
import { fillConnectPage } from '../../../test/world/connect-page';
import { OAuthClient, tokensOf } from '../support/oauth-client';

const TOKEN = 'gho_canary-4c19';
const REVISIONS: [string, ClientOptions][] = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];
const CALL = { name: 'invoke_service', arguments: { action: 'github__star', payload: {} } };

/** A toolkit that stars with the account of its caller. */
async function startStars() {
  const service = await startService();
  const seen: unknown[] = [];
  await service.toolkit('github', (toolkit) => {
    void toolkit.updateToolkit({ auth: { type: 'bearer', from: 'caller', help: 'A GitHub token' } });
    toolkit.action({ action: 'star', actionDescription: 'Stars a repository' }, ({ connection }) => {
      seen.push(connection?.token);
      return 'starred';
    });
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  return { service, key, seen };
}

async function connect({ url }: TestService, headers: Record<string, string>, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return client;
}

test.each(REVISIONS)('a client of revision %s sends its credential with Svc-Connections', async (_revision, options) => {
  const { service, key, seen } = await startStars();
  const authorization = `Bearer ${key}`;
  const client = await connect(service, { authorization, 'svc-connections': `github Bearer ${TOKEN}, other ApiKey k` }, options);
  expect(await client.callTool(CALL)).toMatchObject({ content: [{ type: 'text', text: 'starred' }] });
  expect(seen).toEqual([TOKEN]);
});

test('a call without the credential: the model reads what is missing, and the client is asked for nothing', async () => {
  const { service, key, seen } = await startStars();
  const [, [, options]] = REVISIONS as [unknown, [string, ClientOptions]];
  const client = await connect(
    service,
    { authorization: `Bearer ${key}` },
    { ...options, capabilities: { elicitation: { url: {}, form: {} } } },
  );
  expect(await client.callTool(CALL)).toMatchObject({
    isError: true,
    structuredContent: {
      error: {
        code: 'CONNECTION_REQUIRED',
        message: expect.stringContaining('Svc-Connections'),
        connect: { toolkit: 'github', help: 'A GitHub token' },
      },
    },
  });
  expect(seen).toEqual([]);
});

test.each([
  ['svc-connections', `github Bearer ${TOKEN} more`],
  ['svc-connection-names', `github ${TOKEN} more`],
])('a %s header that is not understood is refused without its text', async (name, value) => {
  const { service, key } = await startStars();
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      [name]: value,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(answer.status).toBe(400);
  const problem = await answer.text();
  expect(problem).toContain('INVALID_REQUEST');
  expect(problem).not.toContain(TOKEN);
});

const WHOAMI = { name: 'invoke_service', arguments: { action: 'github__whoami', payload: {} } };
const OCTOCAT = { content: [{ type: 'text', text: 'octocat' }] };
const [, [, MODERN]] = REVISIONS as [unknown, [string, ClientOptions]];
const LINK = { error: { code: 'CONNECTION_REQUIRED', connect: { url: expect.stringMatching(/\/connections\/connect\//) } } };

/** The answers of a client's user to a page and to a form. */
interface ClientUser {
  page(url: string): Promise<ElicitResult['action']>;
  form(): ElicitResult;
}

async function connectWithUser(service: TestService, headers: Record<string, string>, { page, form }: ClientUser): Promise<Client> {
  const client = await connect(service, headers, { ...MODERN, capabilities: { elicitation: { url: {}, form: {} } } });
  client.setRequestHandler('elicitation/create', async ({ params }) =>
    params.mode === 'url' ? { action: await page(params.url) } : form(),
  );
  return client;
}

test('a client of 2026-07-28 shows the page and the form of its code, and the call runs once', async () => {
  const { service, ran, connect: openPage } = await startConnectable();
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  let code = '';
  const headers = { authorization: `Bearer ${key}`, 'svc-user-id': 'ada' };
  const client = await connectWithUser(service, headers, {
    async page(url) {
      code = await openPage(url);
      return 'accept';
    },
    form: () => ({ action: 'accept', content: { code } }),
  });
  expect(await client.callTool(WHOAMI)).toMatchObject(OCTOCAT);
  expect(await client.callTool(WHOAMI)).toMatchObject(OCTOCAT);
  expect(ran).toHaveLength(2);
});

test.each([
  ['SDK v1 with URL elicitation', { elicitation: { url: {}, form: {} } }],
  ['SDK v1 without', {}],
])('%s reads the link in the answer, and no client gets -32042', async (_what, capabilities) => {
  const { service } = await startConnectable();
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  const client = new ClientV1({ name: 'test', version: '1' }, { capabilities });
  onTestFinished(() => client.close());
  if ('elicitation' in capabilities) client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' }));
  const headers = { authorization: `Bearer ${key}`, 'svc-user-id': 'ada' };
  await client.connect(new StreamableHTTPClientTransportV1(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  expect(await client.callTool(WHOAMI)).toMatchObject({ isError: true, structuredContent: LINK });
});

test('a call without a user says how to name one', async () => {
  const { service } = await startConnectable();
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  const client = await connect(service, { authorization: `Bearer ${key}` }, MODERN);
  const error = { code: 'CONNECTION_REQUIRED', message: expect.stringContaining('Svc-User-Id') };
  expect(await client.callTool(WHOAMI)).toMatchObject({ isError: true, structuredContent: { error } });
});

test('a person who signed in connects an account once for all clients, without a code', async () => {
  const { service, ran } = await startConnectable(await startConsole());
  const ada = await service.join('ada');
  const signIn = async (name: string, person = ada) => {
    const client = await OAuthClient.register(service.url, { client_name: name });
    const { access_token: token } = await tokensOf(await client.exchange(await client.code(person)));
    return { authorization: `Bearer ${token}` };
  };
  const claude = await connectWithUser(service, await signIn('Claude'), {
    async page(url) {
      const { code } = await fillConnectPage(url, { token: 'gho_ada', session: ada.cookie });
      expect(code).toBeUndefined();
      return 'accept';
    },
    form: () => ({ action: 'cancel' }),
  });
  expect(await claude.callTool(WHOAMI)).toMatchObject(OCTOCAT);
  const cursor = await connect(service, await signIn('Cursor'), MODERN);
  expect(await cursor.callTool(WHOAMI)).toMatchObject(OCTOCAT);
  expect(ran).toEqual(['gho_ada', 'gho_ada']);

  const other = await connect(service, await signIn('Claude', await service.join('bob')), MODERN);
  expect(await other.callTool(WHOAMI)).toMatchObject({ isError: true, structuredContent: LINK });
});

test('a client chooses an account of its user with Svc-Connection-Names', async () => {
  const { service, ran, connect: openPage } = await startConnectable();
  const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'client' });
  const tools = await service.tools({ apiKey, userId: 'ada' });
  for (const name of ['home', 'work']) {
    const { url } = await tools.connectUrl({ toolkits: ['github'], name });
    await tools.confirmConnection({ code: await openPage(url, `gho_${name}`) });
  }
  const headers = { authorization: `Bearer ${apiKey}`, 'svc-user-id': 'ada' };
  const client = await connect(service, { ...headers, 'svc-connection-names': 'github work' });
  expect(await client.callTool(WHOAMI)).toMatchObject(OCTOCAT);
  expect(ran).toEqual(['gho_work']);
});
