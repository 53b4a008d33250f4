/** Compiled, never run: one list of tools fits the tool runner and `messages.create`, and the results fit both of its APIs. */
import type Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { Tools } from 'svc-sdk';
import { callTools, loadSvcTools, svcTools } from 'svc-sdk/anthropic';

declare const client: Anthropic;
declare const mine: BetaRunnableTool<{ city: string }>;
const request = { model: 'm', max_tokens: 1 };

export async function theToolRunnerTakesThem(messages: Anthropic.Beta.BetaMessageParam[], signal: AbortSignal): Promise<string | null> {
  const tools = [...svcTools(), ...(await loadSvcTools({ staticToolkits: ['weather'], toolSearch: true })), mine];
  const message = await client.beta.messages.toolRunner({ ...request, messages, tools, thread: false }, { signal });
  return message.stop_reason;
}

export async function aLoopNeedsNoCast(messages: Anthropic.MessageParam[], signal: AbortSignal): Promise<void> {
  const tools = svcTools();
  const { content } = await client.messages.create({ ...request, messages, tools });
  const results = await callTools(tools, content, { signal, onProgress: ({ progress }, id) => `${id}: ${progress}` });
  messages.push({ role: 'assistant', content }, { role: 'user', content: results });
}

export async function toolsOfOnesOwnStandBeside(messages: Anthropic.Beta.BetaMessageParam[]): Promise<void> {
  const tools = [...svcTools(), mine];
  const { content } = await client.beta.messages.create({ ...request, messages, tools });
  messages.push({ role: 'assistant', content }, { role: 'user', content: await callTools(tools, content) });
}

export const runnable: BetaRunnableTool[] = svcTools(new Tools());
export const definitions: Anthropic.Tool[] = svcTools({ tools: new Tools(), timeoutMs: undefined });

// @ts-expect-error a misspelt option
loadSvcTools({ toolsearch: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error the adapter has no approval
svcTools({ needsApproval: true });
// @ts-expect-error the adapter has no approval
svcTools({ askAbove: '0.50' });
// @ts-expect-error a promise is not a list of tools: await it
client.messages.create({ ...request, messages: [], tools: loadSvcTools() });
// @ts-expect-error the list of tools is not a tool
client.messages.create({ ...request, messages: [], tools: [svcTools()] });
// @ts-expect-error the content of the message, not the message
callTools(svcTools(), {} as Anthropic.Message);
