/** The MCP server with both official clients, in the plain loop that a host runs around them. */
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { ContentBlock } from 'svc-sdk';
import { svcMcpServer } from 'svc-sdk/mcp';
import { afterAll, beforeAll } from 'vitest';
import { WAITS } from '../../../adapters/mcp/held-call';
import { describeBlock } from '../../../src/protocol/content';
import { type AdapterUnderTest, type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';

const can: AdapterUnderTest['can'] = {
  // Clients show no error of a server that does not start: a listed tool names the missing setting (test/unit/mcp).
  failToLoad: false,
  progress: true,
  payments: true,
  // MCP leaves approval to the client.
  approval: false,
  unknownTools: true,
  // Arguments are objects on this wire: the host handles invalid JSON.
  brokenArguments: false,
  parallel: true,
  // The wire has ids of requests, and none of tool calls.
  callIds: false,
};

interface McpClient {
  listTools(signal: AbortSignal): Promise<{ name: string; description?: string | undefined; inputSchema: Record<string, unknown> }[]>;
  callTool(name: string, input: Record<string, unknown> | undefined, options: CallOptions): Promise<CallResult>;
}

interface CallResult {
  content: ContentBlock[];
  _meta?: Record<string, unknown>;
}

interface CallOptions {
  signal: AbortSignal;
  onprogress: (progress: unknown) => void;
}

const info = { name: 'contract', version: '1.0.0' };

const usual = { ...WAITS };
beforeAll(() => void Object.assign(WAITS, { holdMs: 0 }));
afterAll(() => void Object.assign(WAITS, usual));

describeAdapter({
  entry: 'svc-sdk/mcp',
  framework: installed('@modelcontextprotocol/client'),
  can,
  converse: (conversing) =>
    withServer(conversing, async (transport) => {
      const client = new Client(info);
      await client.connect(transport);
      return {
        listTools: async (signal) => (await client.listTools({}, { signal })).tools,
        callTool: async (name, input, options) =>
          (await client.callTool({ name, ...(input && { arguments: input }) }, options)) as CallResult,
      };
    }),
});

describeAdapter({
  entry: 'svc-sdk/mcp',
  framework: installed('@modelcontextprotocol/sdk'),
  can,
  converse: (conversing) =>
    withServer(conversing, async (transport) => {
      const client = new ClientV1(info);
      await client.connect(transport as Parameters<ClientV1['connect']>[0]);
      return {
        listTools: async (signal) => (await client.listTools({}, { signal })).tools,
        callTool: async (name, input, options) => (await client.callTool({ name, arguments: input }, undefined, options)) as CallResult,
      };
    }),
});

async function withServer(conversing: Conversing, connect: (transport: InMemoryTransport) => Promise<McpClient>): Promise<string> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = await svcMcpServer(conversing.options)({ era: 'legacy' });
  await server.connect(serverSide);
  try {
    return await loop(conversing, await connect(clientSide));
  } finally {
    await server.close();
  }
}

async function loop({ question, model, signal, onProgress, onPayment }: Conversing, client: McpClient): Promise<string> {
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const tools = (await client.listTools(signal)).map(
    ({ name, description, inputSchema }): ChatCompletionTool => ({
      type: 'function',
      function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
    }),
  );
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'any', messages, tools }, { signal });
    const message = choices[0]?.message;
    if (!message?.tool_calls) return message?.content ?? '';
    const answers = message.tool_calls.map(async (call): Promise<ChatCompletionMessageParam> => {
      const { name, arguments: text } = (call as { function: { name: string; arguments: string } }).function;
      const input = JSON.parse(text || '{}') ?? undefined;
      const content = await client.callTool(name, input, { signal, onprogress: onProgress }).then(
        ({ content, _meta: meta = {} }) => {
          if ('svc-sdk/payment' in meta) onPayment(meta['svc-sdk/payment']);
          return content.map(describeBlock).join('\n');
        },
        // A host passes an error of the protocol, such as the error for a missing tool, to the model.
        (error: Error) => {
          signal.throwIfAborted();
          return error.message;
        },
      );
      return { role: 'tool', tool_call_id: call.id, content };
    });
    messages.push(message, ...(await Promise.all(answers)));
  }
}
