/** An MCP host around a model: it lists the tools of a server, shows them to the model and calls them. Once for each era of the protocol. */
import type { CallToolResult, Client, ClientOptions } from '@modelcontextprotocol/client';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { svcMcpServer } from 'svc-sdk/mcp';
import { connect } from '../../support/mcp-client';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';

const ERAS: Record<string, ClientOptions> = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
};

for (const [revision, clientOptions] of Object.entries(ERAS)) {
  describeAdapter({
    entry: 'svc-sdk/mcp',
    framework: `${installed('@modelcontextprotocol/server')}, revision ${revision}`,
    converse: (conversing) => converse(conversing, clientOptions),
    can: {
      progress: true,
      // The client's own affair.
      approval: false,
      unknownTools: true,
      // Arguments are an object when they leave the host.
      brokenArguments: false,
      parallel: true,
      // Requests have numbers of their own.
      callIds: false,
    },
  });
}

async function converse({ question, options, model, signal, onProgress }: Conversing, clientOptions: ClientOptions): Promise<string> {
  const client = await connect(svcMcpServer(options), clientOptions);
  const { tools: listed } = await client.listTools();
  if (listed.some(({ name }) => name === 'missing_tools')) throw await missingTools(client);
  const tools = listed.map(({ name, description = '', inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: inputSchema },
  }));
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (;;) {
    const completion = await openai.chat.completions.create({ model: 'scripted-model', messages, tools }, { signal });
    const message = completion.choices[0]?.message;
    if (!message?.tool_calls) return message?.content ?? '';
    messages.push(message);
    const answers = message.tool_calls.map(async (call): Promise<ChatCompletionMessageParam> => {
      if (call.type !== 'function') throw new Error(`No function: ${call.type}`);
      const request = { name: call.function.name, arguments: JSON.parse(call.function.arguments || '{}') ?? {} };
      const content = await client.callTool(request, { signal, onprogress: onProgress }).then(textOf, (error: Error) => error.message);
      return { role: 'tool', tool_call_id: call.id, content };
    });
    messages.push(...(await Promise.all(answers)));
    signal.throwIfAborted();
  }
}

function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}

/** What a host can do with it that wants all tools or none. */
async function missingTools(client: Client): Promise<Error> {
  const { structuredContent } = await client.callTool({ name: 'missing_tools' });
  const { message, code, ...details } = Object(structuredContent).error;
  return Object.assign(new Error(message), { code, details });
}
