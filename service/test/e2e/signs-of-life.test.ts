/** Silent calls over real sockets: progress for MCP clients, and comments in streams for proxies. Only the clock of the intervals is fake. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { invoke } from '../../../test/support/mcp-calls';
import { startService } from '../../../test/support/service';

const SILENCE_MS = 20_000;

async function startSilentAction() {
  const service = await startService();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  await service.toolkit('probe', (toolkit) =>
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async () => {
      start();
      await ended;
      return 'done';
    }),
  );
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  onTestFinished(() => void vi.useRealTimers());
  return { url: service.url, headers: { authorization: `Bearer ${key}` }, started, end };
}

const fakeIntervals = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

test.each<ClientOptions>([{}, { versionNegotiation: { mode: 'auto' } }])(
  'a client that restarts its timeout on progress waits for a silent call, with %j',
  async (options) => {
    const { url, headers, started, end } = await startSilentAction();
    const client = new Client({ name: 'test', version: '1' }, options);
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    fakeIntervals();
    const shown: number[] = [];
    const answer = client.callTool(invoke('probe__wait'), {
      resetTimeoutOnProgress: true,
      onprogress: ({ progress }) => shown.push(progress),
    });
    await started;
    for (const count of [1, 2, 3]) {
      vi.advanceTimersByTime(SILENCE_MS);
      await vi.waitFor(() => expect(shown).toHaveLength(count));
    }
    end();
    expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
    expect(shown.every((progress) => Math.abs(progress) < 1e-6)).toBe(true);
  },
);

const REVISION = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: invoke('probe__wait') };
const modern = { ...call, params: { ...call.params, _meta: REVISION } };
const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'invoke_service' };

test.each([
  ['/mcp of 2025-11-25', '/mcp', call, { 'mcp-protocol-version': '2025-11-25' }, '"text":"done"'],
  ['/mcp of 2026-07-28', '/mcp', modern, MODERN_HEADERS, '"text":"done"'],
  ['/v1/invoke', '/v1/invoke', { action: 'probe__wait', payload: {} }, {}, 'event: result'],
])('a silent stream of %s has a comment each 20 s', async (_what, path, body, more, last) => {
  const { url, headers, started, end } = await startSilentAction();
  fakeIntervals();
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...more, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  // The headers are there before the call has ended.
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  await started;
  const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(decoder).getReader();
  for (let count = 0; count < 2; count++) {
    vi.advanceTimersByTime(SILENCE_MS);
    expect((await reader.read()).value).toMatch(/^: \w+\n\n$/);
  }
  end();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  expect(text).toContain(last);
});
