/**
 * LangChain and LangGraph: `createAgent({ model, tools: svcTools() })`, `new ToolNode(svcTools())`, `model.bindTools(svcTools())`.
 * Translation only; search, retries and limits are the client's.
 */
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools';
import { type AgentTool, defineAdapter } from 'svc-sdk/agent-tool';
import { type Approve, approvals } from './approval/langgraph';
import { answerCall } from './langchain/answer-call';

export type { ActionRequest, ApprovalDecision, ApprovalRequest, ApprovalResponse } from './approval/langgraph-request';
export type { SvcProgress } from './langchain/answer-call';

const adapter = defineAdapter({
  translate(tools) {
    const approve = approvals(tools);
    return tools.map((tool) => toStructuredTool(tool, approve));
  },
});

/**
 * `search_services` and `invoke_service` as LangChain tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;

function toStructuredTool(tool: AgentTool, approve: Approve): StructuredToolInterface {
  const structured = new DynamicStructuredTool({
    name: tool.name,
    description: tool.description,
    schema: tool.parameters,
    func: (args, _run, config = {}) => answerCall(tool, approve, args, config),
  });
  // LangChain does not validate the arguments: the service corrects small mistakes that a schema refuses, and explains the others better.
  const unchecked = Object.create(structured, { schema: { value: {} } });
  return Object.assign(structured, { call: structured.call.bind(unchecked) });
}
