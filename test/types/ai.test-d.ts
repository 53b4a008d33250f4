/** Compiled against AI SDK 5, 6 and 7, never run: the tools fit its functions, and their types are kept. */
import { generateText, type InferUITools, type LanguageModel, stepCountIs, streamText, type Tool, type ToolSet } from 'ai';
import { type SearchResponse, Tools } from 'svc-sdk';
import type { AskModel } from 'svc-sdk/agent';
import { aiModel } from 'svc-sdk/agent/ai';
import { loadSvcTools, type SvcToolSet, svcTools } from 'svc-sdk/ai';

declare const model: LanguageModel;

export async function theToolsFit(signal: AbortSignal): Promise<string | undefined> {
  const tools = svcTools();
  const set: ToolSet = { ...tools, ...(await loadSvcTools({ staticToolkits: ['weather'] })) };
  streamText({ model, tools: set, prompt: '', abortSignal: signal });
  const { steps } = await generateText({ model, tools, prompt: '', stopWhen: stepCountIs(5) });
  for (const result of steps.flatMap((step) => step.toolResults)) {
    if (result.dynamic || result.toolName !== 'search_services') continue;
    const { output } = result;
    const found: SearchResponse | string = output;
    return typeof found === 'string' ? found : found.actions[0]?.action;
  }
  return undefined;
}

export const options = [
  svcTools(new Tools()),
  svcTools({ tools: new Tools(), needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' }),
];

type Search = InferUITools<SvcToolSet>['search_services'];
export const query: Search['input'] = { query: 'weather', limit: 3 };
export const one: Tool<{ action: string; payload: Record<string, unknown> }, unknown> = svcTools().invoke_service;

export const agentModels: AskModel[] = [aiModel(model), aiModel(() => model), aiModel('anthropic/claude-test')];

// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a search needs a query
export const noQuery: Search['input'] = { limit: 3 };
// @ts-expect-error a promise is not a tool set: await it
generateText({ model, tools: loadSvcTools(), prompt: '' });
// @ts-expect-error the tool set is not a tool of a list
generateText({ model, tools: [svcTools()], prompt: '' });
