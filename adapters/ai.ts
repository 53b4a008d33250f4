/**
 * Vercel AI SDK: `generateText({ model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import type { Tool, ToolSet } from 'ai';
import type { SearchResponse } from 'svc-sdk';
import { defineAdapter, toBeSpread } from 'svc-sdk/agent-tool';
import { toAiTool } from './ai/tool';

export type SvcToolSet = {
  search_services: Tool<{ query: string; limit?: number }, SearchResponse>;
  /** JSON of any shape; before it `{progress}`, and `{payment}` of a paid action, as preliminary outputs. */
  invoke_service: Tool<{ action: string; payload: Record<string, unknown> }, unknown>;
};

const adapter = defineAdapter<ToolSet, SvcToolSet>({
  programs: 'unmarked',
  translate: (tools) => toBeSpread(Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(tool)]))),
});

/**
 * `search_services` and `invoke_service` as an AI SDK tool set. Makes no network call.
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
