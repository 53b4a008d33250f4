/** `tools: [svcTools()]` and `tools: [loadSvcTools()]`, which types refuse, in programs without types. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents';
import { generateText } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { Tools } from 'svc-sdk';
import { defineAdapter } from 'svc-sdk/agent-tool';
import * as ai from 'svc-sdk/ai';
import * as langchain from 'svc-sdk/langchain';
import * as mastra from 'svc-sdk/mastra';
import * as openai from 'svc-sdk/openai';
import * as openaiAgents from 'svc-sdk/openai-agents';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startScriptedModel } from '../../../service/scripted-model/server.ts';

vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');
setTracingDisabled(true);

interface Address {
  baseURL: string;
}

const openaiClient = ({ baseURL }: Address) => new OpenAI({ apiKey: 'any', baseURL, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'Hi' }];

/** Framework -> sends its model a request with these tools. */
const FRAMEWORKS: Record<
  string,
  [adapter: { svcTools(tools: Tools): object; loadSvcTools(tools: Tools): Promise<object> }, ask: (tools: never, model: Address) => unknown]
> = {
  ai: [
    ai,
    (tools, { baseURL }) =>
      generateText({ model: createOpenAICompatible({ name: 'openai', baseURL, apiKey: 'any' })('m'), tools, prompt: 'Hi' } as never),
  ],
  langchain: [
    langchain,
    (tools, { baseURL }) =>
      createAgent({ model: new ChatOpenAI({ model: 'm', apiKey: 'any', configuration: { baseURL } }), tools }).invoke({ messages }),
  ],
  mastra: [
    mastra,
    (tools, { baseURL: url }) =>
      new MastraAgent({ id: 'a', name: 'a', instructions: 'Help.', model: { id: 'openai/m', url, apiKey: 'any' }, tools }).generate('Hi'),
  ],
  openai: [openai, (tools, model) => openaiClient(model).chat.completions.runTools({ model: 'm', messages, tools }).finalContent()],
  'openai-agents': [
    openaiAgents,
    (tools, model) => run(new Agent({ name: 'a', model: new OpenAIChatCompletionsModel(openaiClient(model), 'm'), tools }), 'Hi'),
  ],
};

test.each(Object.keys(FRAMEWORKS))('%s fails before the first model request, with the line to write', async (name) => {
  const [adapter, ask] = FRAMEWORKS[name]!;
  const speak = vi.fn(() => ({ content: 'Done.' }));
  const model = await startScriptedModel({ speak });
  onTestFinished(() => model.close());
  const client = new Tools({ apiKey: 'svc_agent_any' });
  const failure = async (tools: object) => {
    try {
      return await ask([tools] as never, model);
    } catch (error) {
      return error;
    }
  };
  expect(String(await failure(adapter.svcTools(client)))).toMatch(/write `tools: svcTools\(\)`, or `tools: [[{ .]+svcTools\(\), mine/);
  expect(String(await failure(adapter.loadSvcTools(client)))).toMatch(/write `tools: await loadSvcTools\(…\)`/);
  expect(speak).not.toHaveBeenCalled();
});

test('copies and prints of the tools are as usual, and an adapter of one’s own has the same', () => {
  const { svcTools } = defineAdapter({ translate: (tools) => tools.map(({ name }) => ({ name })) });
  const tools = svcTools({ apiKey: 'svc_agent_any' });
  expect([...tools, { name: 'mine' }]).toEqual([{ name: 'search_services' }, { name: 'invoke_service' }, { name: 'mine' }]);
  expect(JSON.stringify(tools)).toBe('[{"name":"search_services"},{"name":"invoke_service"}]');
  expect(Object.keys({ ...ai.svcTools({ apiKey: 'svc_agent_any' }) })).toEqual(['search_services', 'invoke_service']);
  expect(() => (tools as unknown as { name: string }).name).toThrow(/taken for one/);
});
