/**
 * Mastra: `new Agent({ id, name, instructions, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import type { Tool } from '@mastra/core/tools';
import type { SearchResponse } from 'svc-sdk';
import { defineAdapter, toBeSpread } from 'svc-sdk/agent-tool';
import { toMastraTool } from './mastra/tool';

export type SvcToolsRecord = {
  search_services: Tool<{ query: string; limit?: number }, SearchResponse>;
  /** JSON of any shape; before it `{progress}`, and `{payment}` of a paid action, as `tool-output` chunks. */
  invoke_service: Tool<{ action: string; payload: Record<string, unknown> }, unknown>;
};

const adapter = defineAdapter<Record<string, Tool>, SvcToolsRecord>({
  translate: (tools) => toBeSpread(Object.fromEntries(tools.map((tool) => [tool.name, toMastraTool(tool)]))),
});

/**
 * `search_services` and `invoke_service` as a Mastra tools record. Makes no network call.
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
