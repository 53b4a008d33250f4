/** A function tool of the Agents SDK. */
import { type FunctionTool, tool as functionTool, type ProgrammaticToolCallingTool, programmaticToolCallingTool } from '@openai/agents';
import type { CallPayment } from 'svc-sdk';
import { type AgentTool, type ProgramTool, splitMedia } from 'svc-sdk/agent-tool';
import { type SvcToolOutput, toContent } from './content';
import { Payments } from './payments';

/** The parameters of a tool that is not strict: any JSON Schema. */
type NonStrictParameters = Extract<Parameters<typeof functionTool>[0], { strict: false }>['parameters'];

/** Fits an agent with any context; its output is a text, or a text with what the model can look at. */
// biome-ignore lint/suspicious/noExplicitAny: a tool for `unknown` contexts does not fit an agent with a known one
export type SvcFunctionTool = FunctionTool<any, NonStrictParameters, SvcToolOutput>;

export function toSvcAgentTools(tools: AgentTool[]): SvcFunctionTool[] {
  const hosted: ProgrammaticToolCallingTool[] = tools.some(({ program }) => program) ? [programmaticToolCallingTool()] : [];
  // Only with `programmatic`; the overloads of the exported functions show it.
  return [...hosted, ...tools.map(toFunctionTool)] as SvcFunctionTool[];
}

function toFunctionTool(tool: AgentTool): SvcFunctionTool {
  const { name, description, parameters, program } = tool;
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
      const isByProgram = toolCall?.type === 'function_call' && toolCall.caller?.type === 'program';
      if (isByProgram || program?.outputSchema) {
        const madeBy = isByProgram ? 'program' : undefined;
        const { content, value, error } = await tool.answer(input, { signal, toolCallId: callId, onPayment, madeBy, approved });
        // The Agents SDK writes the output of a tool with a schema as JSON.
        if (!program?.outputSchema) return content;
        return (isByProgram && !error ? JSON.parse(content) : value) as SvcToolOutput;
      }
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
  return { ...made, name, ...(program && forPrograms(program)) } as unknown as SvcFunctionTool;
}

function forPrograms({ outputSchema }: ProgramTool) {
  return { allowedCallers: ['direct', 'programmatic'], ...(outputSchema && { outputSchema }) };
}
