/**
 * OpenAI Agents SDK: `new Agent({ name, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { defineAdapter } from 'svc-sdk/agent-tool';
import { toSvcAgentTools } from './openai-agents/tool';

export type { SvcToolOutput } from './openai-agents/content';
export type { SvcFunctionTool } from './openai-agents/tool';

const adapter = defineAdapter({ programs: 'marked', translate: toSvcAgentTools });

/**
 * `search_services` and `invoke_service` as function tools. Makes no network call.
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
