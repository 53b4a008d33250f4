/** Compiled by `tsc`, never run: the tools fit models, nodes and agents, and their types are kept. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { Tools } from 'svc-sdk';
import { type ApprovalRequest, type ApprovalResponse, loadSvcTools, type SvcProgress, svcTools } from 'svc-sdk/langchain';

declare const llm: BaseChatModel;
declare const mine: StructuredToolInterface;
declare const request: ApprovalRequest;

export async function theToolsFit(signal: AbortSignal): Promise<unknown> {
  const tools = [...svcTools(), ...(await loadSvcTools({ staticToolkits: ['weather'] })), mine];
  await llm.bindTools?.(svcTools()).invoke('');
  await new ToolNode(tools).invoke({ messages: [] });
  return createReactAgent({ llm, tools }).invoke({ messages: [] }, { signal });
}

export const options = [
  svcTools(new Tools()),
  svcTools({ tools: new Tools(), needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' }),
];

export const answer: ApprovalResponse = {
  decisions: request.actionRequests.map(({ name, args }) =>
    args.euros === 1 ? { type: 'approve' } : { type: 'edit', editedAction: { name, args: { euros: 1 } } },
  ),
};
export const resume = new Command({ resume: { [String(request.actionRequests[0]?.toolCallId)]: answer } });
export const shown = ({ progress }: SvcProgress): number => progress.progress;

// @ts-expect-error no decision
export const wrong: ApprovalResponse = { decisions: [{ type: 'yes' }] };
// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a promise is not a list of tools: await it
export const unawaited = new ToolNode(loadSvcTools());
// @ts-expect-error the list of tools is not a tool
export const nested = new ToolNode([svcTools()]);
