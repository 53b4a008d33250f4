/** A tool of Mastra. */
import { createTool, type Tool } from '@mastra/core/tools';
import type { CallPayment, Progress } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { isApproved, markApproved } from '../approval/mastra';
import { toMastraOutput } from './model-output';
import { unchecked } from './unchecked';

export function toMastraTool(tool: AgentTool): Tool {
  return createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: unchecked(tool.parameters),
    // Otherwise Mastra rewrites the schema for the model's provider.
    strict: false,
    async requireApproval(input) {
      const { needed } = await tool.decide(input);
      // Mastra asks here again before an approved call runs. A question that is new by then is about something else.
      const isNew = needed?.approval && 'isNew' in needed.approval;
      if (needed && !isNew) markApproved(input);
      return needed !== undefined;
    },
    ...(tool.images && { toModelOutput: toMastraOutput }),
    // No catch here: Mastra hands a thrown error to the model as a `tool-error`.
    async execute(input, { abortSignal: signal, agent, writer }) {
      const report = (chunk: { progress: Progress } | { payment: CallPayment }) => {
        // A closed stream rejects the write; the call continues.
        writer?.write(chunk).catch(() => {});
      };
      const options = {
        signal,
        toolCallId: agent?.toolCallId,
        onProgress: (progress: Progress) => report({ progress }),
        onPayment: (payment: CallPayment) => report({ payment }),
      };
      return await (isApproved(input) ? tool.call(input, { ...options, approved: true }) : tool.callUnapproved(input, options));
    },
  });
}
