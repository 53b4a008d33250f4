/** MCP servers over streamable HTTP as toolkits. */
import type { Tools } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../test/support/service';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';
import { openMcp } from '../../import/mcp/open-mcp';
import { startForgetfulServer } from '../support/forgetful-mcp-server';
import { context } from '../unit/import/context';

const GONE = { status: 404, body: 'Session not found' };

async function serve(url: string): Promise<Tools> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'remote' });
  const server = { url, headers: { Authorization: 'Bearer secret' } };
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: service.url, apiKey: key }, server });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  return service.tools();
}

const JSON_RPC = '{"jsonrpc":"2.0","id":$id,"error":{"code":-32001,"message":"Session not found"}}';

test.each([
  GONE,
  { status: 404, body: 'not found' },
  { status: 400, body: '{"error":"Bad Request: No valid session ID provided"}' },
  { status: 400, body: '{"error":"Bad Request: Server not initialized"}' },
  { status: 200, body: JSON_RPC },
  { status: 401, body: JSON_RPC },
  { status: 503, body: JSON_RPC },
])('an expired session, reported by $status and $body, is opened again once, and the call runs once', async (refusal) => {
  const server = await startForgetfulServer(refusal);
  const tools = await serve(server.url);
  expect((await tools.invoke('remote__count')).result).toBe('1');

  server.forget();
  const results = await Promise.all([tools.invoke('remote__count'), tools.invoke('remote__count')]);
  expect(results.map(({ result }) => result).sort()).toEqual(['2', '3']);
  expect(server.sessions()).toBe(2);
  expect(server.headers().authorization).toBe('Bearer secret');
});

test('a tool whose error mentions a session is not run again while the session is valid', async () => {
  const server = await startForgetfulServer(GONE);
  const tools = await serve(server.url);

  await expect(tools.invoke('remote__expire')).rejects.toMatchObject({
    details: { cause: { code: 'TOOL_ERROR', message: expect.stringContaining('after 1 calls') } },
  });
  expect((await tools.invoke('remote__count')).result).toBe('2');
  expect(server.sessions()).toBe(1);
});

test('an answer that is cut off is UPSTREAM_LOST at once, and a busy server UPSTREAM_UNREACHABLE, which may be tried again', async () => {
  const server = await startForgetfulServer(GONE);
  const tools = await serve(server.url);

  await expect(tools.invoke('remote__cut')).rejects.toMatchObject({ retryable: false, details: { cause: { code: 'UPSTREAM_LOST' } } });
  await expect(tools.invoke('remote__busy', {}, { timeoutMs: 2_000 })).rejects.toMatchObject({
    retryable: true,
    details: { cause: { code: 'UPSTREAM_UNREACHABLE', message: expect.stringContaining('503') } },
  });
});

test('a token that a server quotes is in no error', async () => {
  const server = await startForgetfulServer({ status: 401, body: 'Bearer very-secret-token expired' });
  const source = openMcp({ url: server.url, headers: { Authorization: 'Bearer very-secret-token' } });
  onTestFinished(() => source.close());
  const [action] = await source.listActions();
  server.forget();
  await expect(action?.handler(context(), {})).rejects.toThrow(/401.*Bearer \[redacted\] expired/);
});

test('a redirect to another origin is not followed', async () => {
  const server = await startForgetfulServer(GONE);
  const tools = await serve(server.url);

  await expect(tools.invoke('remote__leave')).rejects.toMatchObject({
    details: { cause: { message: expect.stringMatching(/redirect/i) } },
  });
});

test('an unused address is UPSTREAM_UNREACHABLE, and an invalid address is refused', async () => {
  await expect(openMcp({ url: 'http://127.0.0.1:1/mcp' }).listActions()).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  expect(() => openMcp({ url: 'file:///etc/passwd' })).toThrow(/http/);
});
