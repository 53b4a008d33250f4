/**
 * Google Gen AI: `ai.models.generateContent({ model, contents, config: { tools: [svcTools()] } })`, or a loop of your own.
 * Translation only; search, retries and limits are the client's. Imports only types of `@google/genai`.
 */
import { type CallsOptions, defineAdapter } from 'svc-sdk/agent-tool';
import { toCallableTool } from './google/tool';

export type { CallFunctionsOptions, SvcCallableTool } from './google/tool';
export type { CallsOptions };

const adapter = defineAdapter({ withoutApproval: 'Google Gen AI', translate: toCallableTool });

/**
 * `search_services` and `invoke_service` as a callable tool. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 * @param calls options of the calls that the SDK makes, such as the same signal as `config.abortSignal`
 */
export const svcTools = adapter.svcTools;

/**
 * The same with static toolkits and actions, each as a separate function, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
 */
export const loadSvcTools = adapter.loadSvcTools;
