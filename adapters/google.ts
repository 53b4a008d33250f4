/**
 * Google Gen AI: `ai.models.generateContent({ model, contents, config: { tools: [svcTools()] } })`, or a loop of your own.
 * Translation only; search, retries and limits are the client's. Nothing of `@google/genai` is imported but types.
 */
import type { CallableTool, FunctionCall, FunctionDeclaration, Part } from '@google/genai';
import type { Progress } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';

export interface CallsOptions {
  /** The same as `config.abortSignal`, which the SDK tells no tool. */
  signal?: AbortSignal | undefined;
}

export interface CallToolsOptions extends CallsOptions {
  onProgress?: ((progress: Progress, functionCall: FunctionCall) => void) | undefined;
}

/** All tools in one, for `config.tools`; the SDK calls it, unless `automaticFunctionCalling` is disabled. */
export interface SvcCallableTool extends CallableTool {
  /**
   * Answers `response.functionCalls` in a loop of your own: one part for each, in order, whatever went wrong.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(functionCalls: readonly FunctionCall[] | undefined, options?: CallToolsOptions): Promise<Part[]>;
}

/**
 * `search_services` and `invoke_service` as a callable tool. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 * @param calls for the calls that the SDK makes
 */
export function svcTools(options?: ToolsLike | WithoutApproval<SvcToolsOptions>, calls: CallsOptions = {}): SvcCallableTool {
  const shared = optionsWithoutApproval('Google Gen AI', options);
  return toCallableTool(shared.tools, agentTools(shared), calls);
}

/**
 * The same with static toolkits and actions, each a function of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(
  options?: ToolsLike | WithoutApproval<LoadSvcToolsOptions>,
  calls: CallsOptions = {},
): Promise<SvcCallableTool> {
  const shared = optionsWithoutApproval('Google Gen AI', options);
  const loading = loadAgentTools(shared).then((tools) => toCallableTool(shared.tools, tools, calls));
  return toBeAwaited(loading, 'callTool');
}

function toCallableTool(tools: ToolsLike, list: AgentTool[], calls: CallsOptions): SvcCallableTool {
  const names = list.map(({ name }) => name);
  const images = list.some((tool) => tool.images);
  const callTools: SvcCallableTool['callTools'] = (functionCalls = [], options = {}) =>
    Promise.all(functionCalls.map((functionCall) => answer(tools, functionCall, { ...options, images })));
  return {
    tool: async () => ({ functionDeclarations: list.map(toDeclaration) }),
    // The SDK gives every call to every callable tool: each answers its own, or a call would be answered twice.
    callTool: (functionCalls) =>
      callTools(
        functionCalls.filter(({ name = '' }) => names.includes(name)),
        calls,
      ),
    callTools,
  };
}

function toDeclaration({ name, description, parameters }: AgentTool): FunctionDeclaration {
  return { name, description, parametersJsonSchema: parameters };
}

interface AnswerOptions extends CallToolsOptions {
  images: boolean;
}

async function answer(tools: ToolsLike, functionCall: FunctionCall, { signal, onProgress, images }: AnswerOptions): Promise<Part> {
  const { id, name = '', args } = functionCall;
  const {
    value,
    media = [],
    error,
  } = await tools.answerTool(name, args, {
    signal,
    toolCallId: id,
    onProgress: onProgress && ((progress) => onProgress(progress, functionCall)),
  });
  // "output" and "error" are the API's own words; what went wrong is `{error: …}` already.
  const response = error ? (value as Record<string, unknown>) : { output: value };
  const seen = images ? media.filter(({ mediaType }) => mediaType !== 'image/gif') : [];
  const parts = seen.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));
  return { functionResponse: { ...(id !== undefined && { id }), name, response, ...(parts.length > 0 && { parts }) } };
}
