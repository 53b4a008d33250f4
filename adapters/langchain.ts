/**
 * LangChain and LangGraph: `createAgent({ model, tools: svcTools() })`, `new ToolNode(svcTools())`, `model.bindTools(svcTools())`.
 * Translation only; search, retries and limits are the client's.
 */
import { defineAdapter } from 'svc-sdk/agent-tool';
import { approvals } from './approval/langgraph';
import { toLangChainTool } from './langchain/tool';

export type { ActionRequest, ApprovalDecision, ApprovalRequest, ApprovalResponse } from './approval/langgraph-request';
export type { SvcProgress } from './langchain/answer-call';

const adapter = defineAdapter({
  programs: 'unmarked',
  translate(tools) {
    const approve = approvals(tools);
    return tools.map((tool) => toLangChainTool(tool, approve));
  },
});

/**
 * `search_services` and `invoke_service` as LangChain tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each as a separate tool, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;
