/** Compiled by `tsc`, never run: question and answer have the shapes of LangChain's middleware, so that its UIs show them. */
import { createAgent, type HITLRequest, type HITLResponse } from 'langchain';
import { type ApprovalRequest, type ApprovalResponse, loadSvcTools, svcTools } from 'svc-sdk/langchain';

export const asked = (request: ApprovalRequest): HITLRequest => request;
export const answered = (response: HITLResponse): ApprovalResponse => response;

export async function theToolsFit(signal: AbortSignal): Promise<string | undefined> {
  const agent = createAgent({ model: 'openai:gpt-5-mini', tools: [...svcTools(), ...(await loadSvcTools())] });
  const { messages } = await agent.invoke({ messages: [] }, { signal });
  return messages.at(-1)?.text;
}

// @ts-expect-error the list of tools is not a tool
createAgent({ model: 'openai:gpt-5-mini', tools: [svcTools()] });
