/**
 * Mastra: `new Agent({ id, name, instructions, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { createTool, type Tool } from '@mastra/core/tools';
import type { CallPayment, Progress, SearchResponse } from 'svc-sdk';
import { type AgentTool, defineAdapter, toBeSpread } from 'svc-sdk/agent-tool';
import { isApproved, markApproved } from './approval/mastra';
import { toMastraOutput } from './mastra/model-output';
import { unchecked } from './mastra/unchecked';

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
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;

function toMastraTool(tool: AgentTool): Tool {
  return createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: unchecked(tool.parameters),
    // Otherwise Mastra rewrites the schema for the model's provider.
    strict: false,
    async requireApproval(input) {
      const needed = await tool.needsApproval(input);
      if (needed) markApproved(input);
      return needed;
    },
    ...(tool.images && { toModelOutput: toMastraOutput }),
    // No catch here: Mastra hands a thrown error to the model as a `tool-error`.
    async execute(input, { abortSignal: signal, agent, writer }) {
      const report = (chunk: { progress: Progress } | { payment: CallPayment }) => {
        // A closed stream rejects the write; the call goes on.
        writer?.write(chunk).catch(() => {});
      };
      const options = {
        signal,
        toolCallId: agent?.toolCallId,
        onProgress: (progress: Progress) => report({ progress }),
        onPayment: (payment: CallPayment) => report({ payment }),
      };
      return await (isApproved(input) ? tool.call(input, options) : tool.callUnapproved(input, options));
    },
  });
}
