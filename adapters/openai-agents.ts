/**
 * OpenAI Agents SDK: `new Agent({ name, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import {
  type FunctionTool,
  tool as functionTool,
  type ToolOutputFileContent,
  type ToolOutputImage,
  type ToolOutputText,
} from '@openai/agents';
import type { ModelMedia } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  type SvcToolsOptions,
  splitMedia,
  type ToolsLike,
  toBeAwaited,
} from 'svc-sdk/agent-tool';

/** A JSON Schema that is taken as it is. */
type NonStrictParameters = Extract<Parameters<typeof functionTool>[0], { strict: false }>['parameters'];

/** Fits an agent with any context; gives the model a text, and what it can look at. */
// biome-ignore lint/suspicious/noExplicitAny: a tool for `unknown` contexts does not fit an agent with a known one
export type SvcFunctionTool = FunctionTool<any, NonStrictParameters, SvcToolOutput>;

/** A model behind chat completions reads the text alone. */
export type SvcToolOutput = string | (ToolOutputText | ToolOutputImage | ToolOutputFileContent)[];

/**
 * `search_services` and `invoke_service` as function tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcToolsOptions): SvcFunctionTool[] {
  return agentTools(options).map(toFunctionTool);
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(options?: ToolsLike | LoadSvcToolsOptions): Promise<SvcFunctionTool[]> {
  return toBeAwaited(loadAgentTools(options).then((tools) => tools.map(toFunctionTool)));
}

function toFunctionTool(tool: AgentTool): SvcFunctionTool {
  const { name, description, parameters } = tool;
  const made = functionTool({
    name,
    description,
    parameters: parameters as NonStrictParameters,
    strict: false,
    needsApproval: (_runContext, input) => tool.needsApproval(input),
    async execute(input, _runContext, details): Promise<SvcToolOutput> {
      const { value, media } = splitMedia(await tool.call(input, { signal: details?.signal, toolCallId: details?.toolCall?.callId }));
      // Objects such as `{type: 'text', text}` would be taken for content.
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return media.length === 0 ? text : [{ type: 'text', text }, ...media.map(toOutput)];
    },
    // Unless told, the model only reads that there was an error.
    errorFunction: (_runContext, error) => String(error),
  });
  // The Agents SDK writes `_` for the `-` of an action id.
  // Its types know outputs that are texts; it passes lists on as they are.
  return { ...made, name } as unknown as SvcFunctionTool;
}

function toOutput({ mediaType, data, name }: ModelMedia): ToolOutputImage | ToolOutputFileContent {
  if (mediaType.startsWith('image/')) return { type: 'image', image: { data, mediaType } };
  return { type: 'file', file: { data, mediaType, filename: name } };
}
