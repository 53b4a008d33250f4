/** Answers to official clients, which check them against the output schemas of the tools. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { invoke } from '../../../test/support/mcp-calls';
import { startService } from '../../../test/support/service';
import { PNG } from '../../../test/support/vectors';

interface Answer {
  content?: unknown;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

type CallTool = (request: { name: string; arguments: Record<string, unknown> }) => Promise<Answer>;

const SHAPE = { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] };
const LONG = 'x'.repeat(50_000);

async function startToolkit(): Promise<{ url: URL; headers: Record<string, string> }> {
  const service = await startService();
  await service.toolkit('probe', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes', payloadDescription: { value: {} } }, (_ctx, { value }) => value ?? null);
    toolkit.action({ action: 'long', actionDescription: 'Long' }, () => LONG);
    toolkit.action(
      { action: 'draw', actionDescription: 'Draws', payloadDescription: { width: { type: 'integer' } }, resultDescription: SHAPE },
      (ctx, { width }: { width?: number }) => {
        if (width === 0) return ctx.error('NO_WIDTH', 'There is nothing to draw');
        ctx.image(Buffer.from(PNG, 'base64'), 'image/png');
        return { width };
      },
    );
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  return { url: new URL(`${service.url}/mcp?staticActions=probe__draw`), headers: { authorization: `Bearer ${key}` } };
}

const CLIENTS: Record<string, (url: URL, headers: Record<string, string>) => Promise<CallTool>> = {
  async 'the SDK v1'(url, headers) {
    const client = new ClientV1({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransportV1(url, { requestInit: { headers } }));
    // A client checks the answers of the tools that it has listed.
    await client.listTools();
    return async (request) => (await client.callTool(request)) as Answer;
  },
  async 'the SDK v2'(url, headers) {
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    await client.listTools();
    return (request) => client.callTool(request);
  },
  async 'the SDK v2 at 2026-07-28'(url, headers) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    await client.listTools();
    return (request) => client.callTool(request);
  },
  async 'the AI SDK'(url, headers) {
    const client = await createMCPClient({ transport: { type: 'http', url: String(url), headers } });
    onTestFinished(() => client.close());
    const tools = await client.tools();
    return async (request) =>
      (await tools[request.name]?.execute(request.arguments, { toolCallId: 'call_0', messages: [], context: {} })) as Answer;
  },
};

test.each(Object.keys(CLIENTS))('%s gets every kind of answer, and images without structured content', async (name) => {
  const { url, headers } = await startToolkit();
  const call = await (CLIENTS[name] as (typeof CLIENTS)[string])(url, headers);

  const search = (query: unknown) => call({ name: 'search_services', arguments: { query } });
  expect(await search('draw')).toMatchObject({ structuredContent: { actions: [{ action: 'probe__draw' }] } });
  expect(await search(undefined)).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_REQUEST' } } });

  for (const value of [{ a: 1 }, { result: 1, note: 2, content: 3, error: 4 }])
    expect(await call(invoke('probe__echo', { value }))).toMatchObject({ structuredContent: value });
  for (const value of ['a text', 7, [1], null])
    expect(await call(invoke('probe__echo', { value }))).not.toHaveProperty('structuredContent');
  expect(await call(invoke('probe__draw', { width: 'wide' }))).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'INVALID_PAYLOAD', issues: [{}] } },
  });
  expect(await call(invoke('probe__long'))).toMatchObject({ content: [{ text: expect.stringMatching(/^x+\n\[[^x]*svc__read_result/) }] });
  const drawn = await call(invoke('probe__draw', { width: '1' }));
  expect(drawn).toMatchObject({ content: [{ type: 'text' }, { type: 'image' }] });
  expect(drawn).not.toHaveProperty('structuredContent');

  const draw = (width: number) => call({ name: 'probe__draw', arguments: { width } });
  expect(await draw(1)).toMatchObject({ structuredContent: { width: 1 }, content: [{ type: 'text' }, { type: 'image' }] });
  const failed = await draw(0);
  expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('nothing to draw') }] });
  expect(failed).not.toHaveProperty('structuredContent');
});
