/** Compiled by `tsc`, never run: the tools fit agents, handlers of workflows and models. */
import type { BaseToolWithCall } from '@llamaindex/core/llms';
import type { OpenAI } from '@llamaindex/openai';
import { agent, multiAgent } from '@llamaindex/workflow';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/llamaindex';

declare const llm: OpenAI;

export async function theToolsFit(signal: AbortSignal, mine: BaseToolWithCall): Promise<void> {
  const tools: BaseToolWithCall[] = [
    ...svcTools({ tools: new Tools() }, { signal }),
    ...(await loadSvcTools({ staticActions: ['a__b'] })),
    mine,
  ];
  const one = agent({ llm, tools });
  multiAgent({ agents: [one], rootAgent: one });
  await llm.exec({ messages: [], tools: svcTools(new Tools()) });
}

// @ts-expect-error an approval would have no effect
svcTools({ needsApproval: true });
// @ts-expect-error the adapter has no approval
svcTools({ askAbove: '0.50' });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ dynamicTools: false });
// @ts-expect-error a promise is not a list of tools: await it
agent({ llm, tools: loadSvcTools() });
// @ts-expect-error the list of tools is not a tool
agent({ llm, tools: [svcTools()] });
