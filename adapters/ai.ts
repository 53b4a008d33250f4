/**
 * Vercel AI SDK: `generateText({ model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { jsonSchema, type Tool, type ToolSet } from 'ai';
import type { CallPayment, Progress, SearchResponse } from 'svc-sdk';
import { type AgentTool, defineAdapter, toBeSpread } from 'svc-sdk/agent-tool';
import { toAiOutput } from './ai/model-output';
import { withReports } from './ai/reports';
import { hasTwin } from './approval/ai';

export type SvcToolSet = {
  search_services: Tool<{ query: string; limit?: number }, SearchResponse>;
  /** JSON of any shape; before it `{progress}`, and `{payment}` of a paid action, as preliminary outputs. */
  invoke_service: Tool<{ action: string; payload: Record<string, unknown> }, unknown>;
};

const adapter = defineAdapter<ToolSet, SvcToolSet>({
  translate: (tools) => toBeSpread(Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(tool)]))),
});

/**
 * `search_services` and `invoke_service` as an AI SDK tool set. Makes no network call.
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

function toAiTool(tool: AgentTool): Tool<unknown, unknown> {
  return {
    description: tool.description,
    inputSchema: jsonSchema(tool.parameters),
    // AI SDK 6 and 7 use it; 5 has no approval and ignores it.
    needsApproval: (input, options) => tool.needsApproval(input, options),
    ...(tool.images && { toModelOutput: toAiOutput }),
    // AI SDK 6 and 7 show it with the call, such as in a request for approval; the model does not read it.
    ...(tool.payment && { metadata: { payment: { ...tool.payment } } }),
    // No catch here: the AI SDK hands a thrown error to the model as a `tool-error` part.
    execute: (input, { abortSignal: signal, toolCallId, messages }) =>
      withReports((report) => {
        const options = {
          signal,
          toolCallId,
          onProgress: (progress: Progress) => report({ progress }),
          onPayment: (payment: CallPayment) => report({ payment }),
        };
        return hasTwin(toolCallId, messages) ? tool.callUnapproved(input, options) : tool.call(input, options);
      }),
  };
}
