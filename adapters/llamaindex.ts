/**
 * LlamaIndex: `agent({ llm, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's. Imports only types of `@llamaindex/core`.
 */
import { type CallsOptions, defineAdapter } from 'svc-sdk/agent-tool';
import { toLlamaIndexTool } from './llamaindex/tool';

export type { CallsOptions };

const adapter = defineAdapter({
  withoutApproval: 'LlamaIndex',
  translate: (tools, _client, calls?: CallsOptions) => tools.map((tool) => toLlamaIndexTool(tool, calls)),
});

/**
 * `search_services` and `invoke_service` as LlamaIndex tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 * @param calls options of the calls that LlamaIndex makes
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each as a separate tool, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;
