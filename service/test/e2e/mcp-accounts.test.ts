/** Accounts at `/mcp`: the client's credentials by header. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';

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
