/**
 * OpenAI: `openai.chat.completions.runTools({ model, messages, tools: svcTools() })`, a loop of your own with chat completions, the Responses API.
 * Translation only; search, retries and limits are the client's. Imports nothing of `openai`: the shapes fit its types.
 */
import { defineAdapter } from 'svc-sdk/agent-tool';
import { toSvcTools } from './openai/chat-completions';
import { OPENAI } from './openai/options';

export type { RunnableFunctionTool, Runner, SvcTools } from './openai/chat-completions';
export { type NextRequest, nextRequest } from './openai/next-request';
export type { LoadSvcOpenAiOptions, SvcOpenAiOptions } from './openai/options';
export {
  type FunctionCaller,
  type FunctionCallOutput,
  loadSvcResponsesTools,
  type ProgramsTool,
  type ResponsesFunctionTool,
  type ResponsesItem,
  type RunnerFunction,
  type SeenOutput,
  type SeenPart,
  type SvcResponsesTools,
  svcResponsesTools,
} from './openai/responses';
export { type DeveloperMessage, type SvcToolSearch, svcToolSearch, type ToolSearchOutput, type ToolSearchTool } from './openai/tool-search';

const adapter = defineAdapter({ withoutApproval: OPENAI, translate: toSvcTools });

/**
 * `search_services` and `invoke_service` for chat completions. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each as a separate tool, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;
