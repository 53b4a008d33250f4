/**
 * VoltAgent: `new Agent({ name, instructions, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's. Imports nothing of `@voltagent/core`.
 */
import { defineAdapter } from 'svc-sdk/agent-tool';
import { toVoltAgentTool } from './voltagent/tool';

export type { VoltAgentTool } from './voltagent/tool';

const adapter = defineAdapter({ translate: (tools) => tools.map(toVoltAgentTool) });

/**
 * `search_services` and `invoke_service` as VoltAgent tools. Makes no network call.
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
