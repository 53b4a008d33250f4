/** A function tool of the Agents SDK. */
import { type FunctionTool, tool as functionTool } from '@openai/agents';
import type { CallPayment } from 'svc-sdk';
import { type AgentTool, splitMedia } from 'svc-sdk/agent-tool';
import { type SvcToolOutput, toContent } from './content';
import { Payments } from './payments';

/** The parameters of a tool that is not strict: any JSON Schema. */
type NonStrictParameters = Extract<Parameters<typeof functionTool>[0], { strict: false }>['parameters'];

/** Fits an agent with any context; its output is a text, or a text with what the model can look at. */
// biome-ignore lint/suspicious/noExplicitAny: a tool for `unknown` contexts does not fit an agent with a known one
export type SvcFunctionTool = FunctionTool<any, NonStrictParameters, SvcToolOutput>;

export function toFunctionTool(tool: AgentTool): SvcFunctionTool {
  const { name, description, parameters } = tool;
  const payments = new Payments();
  const made = functionTool({
    name,
    description,
    parameters: parameters as NonStrictParameters,
    strict: false,
    needsApproval: async (runContext, input, callId = '') =>
      runContext.isToolApproved({ toolName: name, callId }) === true || tool.needsApproval(input),
    async execute(input, runContext, details): Promise<SvcToolOutput> {
      const { signal, toolCall } = details ?? {};
      const onPayment = (payment: CallPayment) => payments.add(runContext, toolCall?.callId, payment);
      const callId = toolCall?.callId;
      const approved = runContext?.isToolApproved({ toolName: name, callId: callId ?? '' });
      const { value, media } = splitMedia(await tool.call(input, { signal, toolCallId: callId, onPayment, approved }));
      // A text, because the Agents SDK takes objects such as `{type: 'text', text}` for content.
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return media.length === 0 ? text : [{ type: 'text', text }, ...media.map(toContent)];
    },
    customDataExtractor: ({ runContext, toolCall }) => payments.take(runContext, toolCall.callId),
    // The model reads by default only that there was an error.
    errorFunction: (_runContext, error) => String(error),
  });
  // The Agents SDK writes `_` for the `-` of an action id. Its types allow only texts as outputs; it passes lists on unchanged.
  return { ...made, name } as unknown as SvcFunctionTool;
}
