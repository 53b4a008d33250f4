/** `svc-tools-mcp` as it is built, for the official clients, whose users connect accounts. */
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { startConnectable } from '../support/connectable';
import { MCP_PROGRAM, MCP_RUNTIME } from '../support/mcp-process';

const CALL = { name: 'invoke_service', arguments: { action: 'github__whoami', payload: {} } };
const OCTOCAT = { content: [{ type: 'text', text: 'octocat' }] };
const CAPABILITIES = { elicitation: { url: {}, form: {} } };

/** The program on a service, and a person who fills in the page and its form. */
async function startProgram() {
  const { service, ran, connect } = await startConnectable();
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key, SVC_USER_ID: 'ada' };
  let code = '';
  return {
    ran,
    command: { command: MCP_RUNTIME, args: [MCP_PROGRAM], env, stderr: 'ignore' as const },
    async answer(params: { mode?: string | undefined; url?: string | undefined }) {
      if (params.mode !== 'url') return { action: 'accept' as const, content: { code } };
      code = await connect(params.url ?? '');
      return { action: 'accept' as const };
    },
  };
}

test('the official SDK v1 shows the page and the form of its code, and the call runs once', async () => {
  const { command, answer, ran } = await startProgram();
  const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: CAPABILITIES });
  onTestFinished(() => client.close());
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  await client.connect(new StdioClientTransportV1(command));
  expect(await client.callTool(CALL)).toMatchObject(OCTOCAT);
  expect(ran).toHaveLength(1);
});

test.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
])('the official SDK v2 does so in revision %s', async (_revision, options) => {
  const { command, answer, ran } = await startProgram();
  const client = new Client({ name: 'test', version: '1' }, { ...options, capabilities: CAPABILITIES });
  onTestFinished(() => client.close());
  client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
  await client.connect(new StdioClientTransport(command));
  expect(await client.callTool(CALL)).toMatchObject(OCTOCAT);
  expect(ran).toHaveLength(1);
});

test('a user who declines in revision 2025-11-25: the model reads so', async () => {
  const { command, ran } = await startProgram();
  const client = new Client({ name: 'test', version: '1' }, { capabilities: CAPABILITIES });
  onTestFinished(() => client.close());
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  await client.connect(new StdioClientTransport(command));
  const error = { code: 'CONNECTION_REQUIRED', message: expect.stringContaining('did not connect') };
  expect(await client.callTool(CALL)).toMatchObject({ isError: true, structuredContent: { error } });
  expect(ran).toEqual([]);
});
