/** A tool of the AI SDK. */
import { jsonSchema, type Tool } from 'ai';
import { type AgentTool, withReports } from 'svc-sdk/agent-tool';
import { hasApproval, hasTwin } from '../approval/ai';
import { toAiJson, toAiOutput } from './model-output';
import { forPrograms } from './programs';

export function toAiTool(tool: AgentTool): Tool<unknown, unknown> {
  const { program } = tool;
  return {
    description: program?.description ?? tool.description,
    inputSchema: jsonSchema(tool.parameters),
    // AI SDK 6 and 7 use it; 5 has no approval and ignores it.
    needsApproval: async (input, { toolCallId, messages }) => hasApproval(toolCallId, messages) || tool.needsApproval(input),
    ...(program ? { ...forPrograms(program), toModelOutput: toAiJson } : tool.images && { toModelOutput: toAiOutput }),
    // AI SDK 6 and 7 show it with the call, such as in a request for approval; the model does not read it.
    ...(tool.payment && { metadata: { payment: { ...tool.payment } } }),
    // No catch here: the AI SDK hands a thrown error to the model as a `tool-error` part. It takes the items for preliminary outputs, the last for final.
    execute: async function* (input, { abortSignal: signal, toolCallId, messages }) {
      yield yield* withReports((reporting) => {
        const options = { signal, toolCallId, ...reporting };
        if (hasTwin(toolCallId, messages)) return tool.callUnapproved(input, options);
        return tool.call(input, { ...options, approved: hasApproval(toolCallId, messages) });
      });
    },
  };
}
