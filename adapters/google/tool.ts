import type { CallableTool, FunctionCall, Part } from '@google/genai';
import { type CallPayment, type Progress, SvcError } from 'svc-sdk';
import { type AgentTool, type CallsOptions, failedAnswer, type ToolsLike } from 'svc-sdk/agent-tool';

export interface CallFunctionsOptions extends Omit<CallsOptions, 'onPayment'> {
  onProgress?: ((progress: Progress, functionCall: FunctionCall) => void) | undefined;
  /** Called for each result of a paid action. */
  onPayment?: ((payment: CallPayment, functionCall: FunctionCall) => void) | undefined;
}

/** One tool with all functions, for `config.tools`. The SDK calls it, unless `automaticFunctionCalling` is disabled. */
export interface SvcCallableTool extends CallableTool {
  /**
   * Answers `response.functionCalls` in a loop of your own: one part for each call, in order. A failure is an answer too.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(functionCalls: readonly FunctionCall[] | undefined, options?: CallFunctionsOptions): Promise<Part[]>;
}

export function toCallableTool(tools: AgentTool[], _client: ToolsLike, calls?: CallsOptions): SvcCallableTool {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const callTools: SvcCallableTool['callTools'] = (functionCalls = [], options = {}) =>
    Promise.all(functionCalls.map((functionCall) => answer(offered.get(functionCall.name ?? ''), functionCall, options)));
  return {
    tool: async () => ({
      functionDeclarations: tools.map(({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters })),
    }),
    callTool(functionCalls) {
      // The SDK passes every call to every callable tool. Each answers its own, or a call would be answered twice.
      const own = functionCalls.filter(({ name = '' }) => offered.has(name));
      return callTools(own, calls);
    },
    callTools,
  };
}

async function answer(
  tool: AgentTool | undefined,
  functionCall: FunctionCall,
  { signal, onProgress, onPayment }: CallFunctionsOptions,
): Promise<Part> {
  const { id, name = '', args } = functionCall;
  const options = {
    signal,
    toolCallId: id,
    onProgress: onProgress && ((progress: Progress) => onProgress(progress, functionCall)),
    onPayment: onPayment && ((payment: CallPayment) => onPayment(payment, functionCall)),
  };
  const { value, media = [], error } = tool ? await tool.answer(args, options) : failedAnswer(unknownTool(name));
  // The API's names are "output" and "error"; the value of a failure is `{error: …}` already.
  const response = error ? (value as Record<string, unknown>) : { output: value };
  const shown = tool?.images ? media.filter(({ mediaType }) => mediaType !== 'image/gif') : [];
  const parts = shown.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));
  return { functionResponse: { ...(id !== undefined && { id }), name, response, ...(parts.length > 0 && { parts }) } };
}

/** Also for an action that exists: the program's own approval covers only the functions that it offered. */
function unknownTool(name: string): SvcError {
  return new SvcError('UNKNOWN_TOOL', `There is no function ${JSON.stringify(name)}; call one that you were given`);
}
