/** Cancelling over `/mcp`: every way in which a client cancels a request stops the handler. */

import { createMCPClient } from '@ai-sdk/mcp';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Stage, startStage } from '../../../test/contract/stage';
import { expectPrompt } from '../../../test/support/prompt';

const hang = { name: 'invoke_service', arguments: { action: 'probe__hang' } };

type Call = (signal: AbortSignal) => Promise<unknown>;

function endpoint({ connection }: Stage): { url: URL; headers: Record<string, string> } {
  return { url: new URL('/mcp', connection.baseUrl), headers: { authorization: `Bearer ${connection.apiKey}` } };
}

const clients: [string, (stage: Stage) => Promise<Call>][] = [
  [
    'the official SDK v1',
    async (stage) => {
      const { url, headers } = endpoint(stage);
      const client = new ClientV1({ name: 'test', version: '1' });
      onTestFinished(() => client.close());
      await client.connect(new StreamableHTTPClientTransportV1(url, { requestInit: { headers } }) as Parameters<ClientV1['connect']>[0]);
      return (signal) => client.callTool(hang, undefined, { signal });
    },
  ],
  ...[{}, { versionNegotiation: { mode: 'auto' as const } }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }].map(
    (options: ClientOptions): [string, (stage: Stage) => Promise<Call>] => [
      `the official SDK v2 with ${JSON.stringify(options)}`,
      async (stage) => {
        const { url, headers } = endpoint(stage);
        const client = new Client({ name: 'test', version: '1' }, options);
        onTestFinished(() => client.close());
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
        return (signal) => client.callTool(hang, { signal });
      },
    ],
  ),
  [
    'the AI SDK',
    async (stage) => {
      const { url, headers } = endpoint(stage);
      const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } });
      onTestFinished(() => client.close());
      const { invoke_service: run } = await client.tools();
      return async (abortSignal) => run?.execute(hang.arguments, { toolCallId: 'call_0', messages: [], context: {}, abortSignal });
    },
  ],
];

describe.each(clients)('%s', (_name, connect) => {
  test('an aborted call reaches the handler within 100 ms and is recorded as cancelled', async () => {
    const stage = await startStage();
    const call = await connect(stage);
    await expectPrompt(async () => {
      const controller = new AbortController();
      const answer = expect(call(controller.signal)).rejects.toThrow();
      const { aborted } = await stage.hanging();
      const abortedAt = performance.now();
      controller.abort();
      await aborted;
      const ms = performance.now() - abortedAt;
      await answer;
      return ms;
    });
    const cancelled = { action: 'probe__hang', code: 'INVOCATION_CANCELLED' };
    await vi.waitFor(() => expect(stage.records()).toEqual(stage.records().map(() => cancelled)));
  });
});
