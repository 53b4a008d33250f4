/**
 * OpenAI: `openai.chat.completions.runTools({ model, messages, tools: svcTools() })`, a loop of your own with chat completions, the Responses API.
 * Translation only; search, retries and limits are the client's. Imports nothing of `openai`: the shapes fit its types.
 */
import { SvcError } from 'svc-sdk';
import {
  defineAdapter,
  type LoadSvcToolsOptions,
  optionsWithoutApproval,
  type SvcToolsOptions,
  type ToolsLike,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';
import { toSvcTools } from './openai/chat-completions';
import { type SeenOutput, type SvcResponsesTools, toSvcResponsesTools } from './openai/responses';
import { type SvcToolSearch, toToolSearch } from './openai/tool-search';

export type { RunnableFunctionTool, Runner, SvcTools } from './openai/chat-completions';
export type {
  FunctionCallOutput,
  ResponsesFunctionTool,
  ResponsesItem,
  RunnerFunction,
  SeenOutput,
  SeenPart,
  SvcResponsesTools,
} from './openai/responses';
export type { DeveloperMessage, SvcToolSearch, ToolSearchOutput, ToolSearchTool } from './openai/tool-search';

/** There is no `needsApproval`: OpenAI's loops cannot ask a human. */
export type SvcOpenAiOptions = WithoutApproval<SvcToolsOptions>;
export type LoadSvcOpenAiOptions = WithoutApproval<LoadSvcToolsOptions>;

type WithImages = { images: true };

const withoutApproval = 'OpenAI';
const chatCompletions = defineAdapter({ withoutApproval, translate: toSvcTools });
const responses = defineAdapter({ withoutApproval, translate: toSvcResponsesTools });

/**
 * `search_services` and `invoke_service` for chat completions. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export const svcTools = chatCompletions.svcTools;

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = chatCompletions.loadSvcTools;

/** `svcTools` for the Responses API. */
export function svcResponsesTools(options: SvcOpenAiOptions & WithImages): SvcResponsesTools<SeenOutput>;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): SvcResponsesTools;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): SvcResponsesTools {
  return responses.svcTools(options);
}

/** `loadSvcTools` for the Responses API. */
export function loadSvcResponsesTools(options: LoadSvcOpenAiOptions & WithImages): Promise<SvcResponsesTools<SeenOutput>>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcResponsesTools>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcResponsesTools> {
  return responses.loadSvcTools(options);
}

/**
 * Tool search in place of `search_services` and `invoke_service`: the model calls each action that it finds as a function of its own, named
 * by its action id. Makes no network call.
 *
 * @param options as for `svcTools`
 */
export function svcToolSearch(options: SvcOpenAiOptions & WithImages): SvcToolSearch<SeenOutput>;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch {
  const { tools, images = false, ...selection } = optionsWithoutApproval(withoutApproval, options);
  const [name] = Object.keys(selection);
  if (name) throw new SvcError('INVALID_REQUEST', `${name} is for loadSvcResponsesTools, whose tools can stand beside the search`);
  return toToolSearch(tools, images);
}
