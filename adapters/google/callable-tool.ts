import type { CallableTool, FunctionCall, Part } from '@google/genai';
import type { CallPayment, Progress } from 'svc-sdk';
import type { AgentTool, CallsOptions, ToolsLike } from 'svc-sdk/agent-tool';

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

export function toCallableTool(tools: AgentTool[], client: ToolsLike, calls?: CallsOptions): SvcCallableTool {
  const names = new Set(tools.map(({ name }) => name));
  const images = tools.some((tool) => tool.images);
  const callTools: SvcCallableTool['callTools'] = (functionCalls = [], options = {}) =>
    Promise.all(functionCalls.map((functionCall) => answer(client, functionCall, { ...options, images })));
  return {
    tool: async () => ({
      functionDeclarations: tools.map(({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters })),
    }),
    callTool(functionCalls) {
      // The SDK passes every call to every callable tool. Each answers its own, or a call would be answered twice.
      const own = functionCalls.filter(({ name = '' }) => names.has(name));
      return callTools(own, calls);
    },
    callTools,
  };
}

async function answer(
  client: ToolsLike,
  functionCall: FunctionCall,
  { signal, onProgress, onPayment, images }: CallFunctionsOptions & { images: boolean },
): Promise<Part> {
  const { id, name = '', args } = functionCall;
  const {
    value,
    media = [],
    error,
  } = await client.answerTool(name, args, {
    signal,
    toolCallId: id,
    onProgress: onProgress && ((progress) => onProgress(progress, functionCall)),
    onPayment: onPayment && ((payment) => onPayment(payment, functionCall)),
  });
  // The API's names are "output" and "error"; the value of a failure is `{error: …}` already.
  const response = error ? (value as Record<string, unknown>) : { output: value };
  const shown = images ? media.filter(({ mediaType }) => mediaType !== 'image/gif') : [];
  const parts = shown.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));
  return { functionResponse: { ...(id !== undefined && { id }), name, response, ...(parts.length > 0 && { parts }) } };
}
