/** Compiled by `tsc`, never run: the tools fit an agent, and their types are kept. */
import { Agent } from '@mastra/core/agent';
import type { Tool } from '@mastra/core/tools';
import { type SearchResponse, Tools } from 'svc-sdk';
import { loadSvcTools, type SvcToolsRecord, svcTools } from 'svc-sdk/mastra';

declare const mine: Tool;

const agent = { id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5-mini' } as const;

export async function theToolsFit(signal: AbortSignal): Promise<string> {
  const tools = { ...svcTools(), ...(await loadSvcTools({ staticToolkits: ['weather'] })), mine };
  const { text } = await new Agent({ ...agent, tools }).generate('', { abortSignal: signal, maxSteps: 20 });
  await new Agent({ ...agent, tools: () => svcTools() }).stream('');
  await new Agent({ ...agent, tools: () => loadSvcTools({ staticActions: ['a__b'] }) }).stream('');
  return text;
}

export const options = [
  svcTools(new Tools()),
  svcTools({ tools: new Tools(), needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' }),
];

type Result<T> = T extends Tool<infer _, infer Output> ? Output : never;
export const found: SearchResponse | string = {} as Result<SvcToolsRecord['search_services']>;
export const one: Tool<{ action: string; payload: Record<string, unknown> }, unknown> = svcTools().invoke_service;

// @ts-expect-error a search gives no list
export const wrong: string[] = {} as Result<SvcToolsRecord['search_services']>;
// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a promise is not a tools record: await it
export const unawaited = new Agent({ ...agent, tools: loadSvcTools() });
// @ts-expect-error the tools record is not a tool of a list
export const nested = new Agent({ ...agent, tools: [svcTools()] });
