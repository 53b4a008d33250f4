/** Anthropic's tool search: every static tool is deferred, and `search_services` answers with references to those that it finds. */
import { type JsonSchema, SvcError } from 'svc-sdk';
import { type AgentTool, type LoadSvcToolsOptions, loadAgentTools, optionsWithoutApproval, type ToolsLike } from 'svc-sdk/agent-tool';
import { toToolError } from './call-tools';
import { type CodeExecution, isAccepted, type SvcTool, toSvcTool, withCodeExecution } from './tool';

/** The API refuses a request with more. */
const MAX_DEFERRED = 10_000;
/** The API's own search loads as many. */
const MAX_LOADED = 5;
/** The service's maximum: if only some actions are declared, they may rank low. */
const MAX_FOUND = 50;
/** The service's maximum: the model sees only references, and a smaller budget would move actions to `more`, where they lose their rank. */
const MAX_TOKENS = 20_000;

const SEARCH_DESCRIPTION =
  'Find tools for live data, other services, messages, files, computations and more. Search before you say that you cannot do something. ' +
  'The best tools are loaded for you to call, or listed for invoke_service if you have it; if none fits, search again in other words.';

export async function loadDeferred(options: LoadSvcToolsOptions): Promise<(SvcTool | CodeExecution)[]> {
  const { tools, programmatic = false, dynamicTools = true, staticToolkits, staticActions } = optionsWithoutApproval('Anthropic', options);
  const chosen = staticToolkits || staticActions ? { staticToolkits, staticActions } : { staticToolkits: ['*'] };
  const loaded = await loadAgentTools({ ...chosen, tools, programmatic, needsApproval: false });
  const [search, invoke, ...actions] = loaded as [AgentTool, AgentTool, ...AgentTool[]];
  const deferred = actions.filter(isAccepted).map((action): SvcTool => ({ ...toSvcTool(action), defer_loading: true }));
  if (deferred.length > MAX_DEFERRED) {
    const message = `The API takes ${MAX_DEFERRED} deferred tools, and these are ${deferred.length}: choose some with staticToolkits`;
    throw new SvcError('INVALID_REQUEST', message);
  }
  const declared = new Set(deferred.map(({ name }) => name));
  return withCodeExecution([
    toSearchTool(tools, search, declared, dynamicTools),
    ...(dynamicTools ? [toSvcTool(invoke)] : []),
    ...deferred,
  ]);
}

/**
 * A `tool_result` holds either references or texts. A reference to a tool that is not declared makes the API refuse every later request of the
 * conversation.
 */
function toSearchTool(client: ToolsLike, search: AgentTool, declared: ReadonlySet<string>, hasInvoke: boolean): SvcTool {
  // References to tools are for the model, not for a program.
  const { allowed_callers, ...asText } = toSvcTool(search);
  const { query: querySchema } = search.parameters.properties as { query: JsonSchema };
  return {
    ...asText,
    description: SEARCH_DESCRIPTION,
    input_schema: { type: 'object', properties: { query: querySchema }, required: ['query'] },
    async run(input, context) {
      const query = typeof input === 'object' && input && 'query' in input ? input.query : undefined;
      if (typeof query !== 'string') return asText.run(input, context);
      const limit = hasInvoke ? MAX_LOADED : MAX_FOUND;
      const { actions, more = [] } = await client
        .search(query, { limit, maxTokens: MAX_TOKENS, signal: context?.signal ?? undefined })
        .catch((error: unknown) => {
          throw SvcError.is(error) ? toToolError(error) : error;
        });
      const ids = [...actions, ...more].map(({ action }) => action);
      // If the best action is not declared, the answer is text: it has the schema that invoke_service needs.
      if (hasInvoke && !declared.has(ids[0] ?? '')) return asText.run(input, context);
      const found = ids.filter((id) => declared.has(id)).slice(0, MAX_LOADED);
      if (found.length === 0) return 'No tool was found. Try other words, or say that there is none.';
      return found.map((tool_name) => ({ type: 'tool_reference', tool_name }));
    },
  };
}
