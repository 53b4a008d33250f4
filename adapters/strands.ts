/**
 * Strands Agents: `new Agent({ model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { defineAdapter } from 'svc-sdk/agent-tool';
import { StrandsTool } from './strands/tool';

export type { StrandsQuestion } from './approval/strands';
export type { StrandsTool };

const adapter = defineAdapter({ translate: (tools) => tools.map((tool) => new StrandsTool(tool)) });

/**
 * `search_services` and `invoke_service` as Strands tools. Makes no network call.
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
