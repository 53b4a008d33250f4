/**
 * Anthropic: `client.beta.messages.toolRunner({ …, tools: svcTools() })`, or `messages.create` and `callTools` in a loop of your own.
 * Translation only; search, retries and limits are the client's.
 */
import {
  defineAdapter,
  type LoadSvcToolsOptions,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';
import { type LoadSvcToolsFunction, type SvcToolsFunction, toAcceptedTools } from './anthropic/tool';
import { loadDeferred } from './anthropic/tool-search';

export { callTools, type RunnableTool, type ToolResult } from './anthropic/call-tools';
export { type NextMessages, nextRequest } from './anthropic/next-request';
export type { CodeExecution, RunContext, SeenBlock, SvcTool, ToolReference } from './anthropic/tool';

/** Options without `needsApproval`: tool runners and loops of your own have no approval. See docs/adapters/anthropic.md. */
export type SvcAnthropicOptions = WithoutApproval<SvcToolsOptions>;

export interface LoadSvcAnthropicOptions extends WithoutApproval<LoadSvcToolsOptions> {
  /**
   * Anthropic's tool search: static tools are deferred, and `search_services` loads those that it finds. Default choice of static tools: all
   * actions.
   */
  toolSearch?: boolean | undefined;
}

const adapter = defineAdapter({ withoutApproval: 'Anthropic', programs: 'marked', translate: toAcceptedTools });

/**
 * `search_services` and `invoke_service` for tool runners and for `messages.create`. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export const svcTools = adapter.svcTools as SvcToolsFunction<SvcAnthropicOptions>;

/**
 * The same with static toolkits and actions, each as a separate tool, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST for an action that the API refuses
 */
export const loadSvcTools = ((options: ToolsLike | LoadSvcAnthropicOptions = {}) => {
  if ('definitions' in options) return adapter.loadSvcTools(options);
  const { toolSearch, ...rest } = options;
  if (!toolSearch) return adapter.loadSvcTools(rest);
  return toBeAwaited(loadDeferred(rest));
}) as LoadSvcToolsFunction<LoadSvcAnthropicOptions>;
