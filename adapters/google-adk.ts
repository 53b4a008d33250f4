/**
 * Google ADK: `new LlmAgent({ name, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { type CallsOptions, defineAdapter } from 'svc-sdk/agent-tool';
import { AdkTool } from './google-adk/tool';

export type { AdkQuestion } from './approval/google-adk';
export type { AdkTool, CallsOptions };

const adapter = defineAdapter({
  translate: (tools, _client, calls?: Pick<CallsOptions, 'onPayment'>) => tools.map((tool) => new AdkTool(tool, calls)),
});

/**
 * `search_services` and `invoke_service` as ADK tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 * @param calls options of the calls that ADK makes
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each as a separate tool, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;
