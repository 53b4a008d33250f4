/**
 * OpenAI Agents SDK: `new Agent({ name, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { type FunctionTool, tool as functionTool } from '@openai/agents';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
} from 'svc-sdk/agent-tool';

/** A JSON Schema that is taken as it is. */
type NonStrictParameters = Extract<Parameters<typeof functionTool>[0], { strict: false }>['parameters'];

/** Fits an agent with any context; gives the model a text. */
// biome-ignore lint/suspicious/noExplicitAny: a tool for `unknown` contexts does not fit an agent with a known one
export type SvcFunctionTool = FunctionTool<any, NonStrictParameters, string>;

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
    async execute(input, _runContext, details) {
      const value = await tool.call(input, { signal: details?.signal, toolCallId: details?.toolCall?.callId });
      // Objects such as `{type: 'text', text}` would be taken for content.
      return typeof value === 'string' ? value : JSON.stringify(value);
    },
    // Unless told, the model only reads that there was an error.
    errorFunction: (_runContext, error) => String(error),
  });
  // The Agents SDK writes `_` for the `-` of an action id.
  return { ...made, name };
}
