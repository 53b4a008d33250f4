/**
 * Anthropic: `client.beta.messages.toolRunner({ …, tools: svcTools() })`, or `messages.create` and `callTools` in a loop of your own.
 * Translation only; search, retries and limits are the client's.
 */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { type CallToolsOptions, type JsonSchema, type ModelMedia, type Progress, SvcError } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  failedAnswer,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';

/** Without `needsApproval`: neither a tool runner nor a loop of your own asks before a call. See docs/adapters/anthropic.md. */
export type SvcAnthropicOptions = WithoutApproval<SvcToolsOptions>;

export interface LoadSvcAnthropicOptions extends WithoutApproval<LoadSvcToolsOptions> {
  /**
   * Anthropic's tool search: static tools are deferred, and `search_services` loads those that it finds. All actions are static unless some
   * toolkits or actions are named.
   */
  toolSearch?: boolean | undefined;
}

/** A tool definition of the API, and what a tool runner needs to run it; JSON leaves that out. */
export interface SvcTool {
  type: 'custom';
  name: string;
  description: string;
  input_schema: JsonSchema & { type: 'object' };
  defer_loading?: true;
  parse(input: unknown): unknown;
  /** @throws ToolError, whose content is the JSON that the model has to read; the reason of `signal` */
  run(input: unknown, context?: RunContext): Promise<string | (ToolReference | SeenBlock)[]>;
}

/** Content of a `tool_result` beside references: words, and what the model looks at. */
export type SeenBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string }; title: string };

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** What a tool runner tells a tool, and progress, which `callTools` alone can show. */
export interface RunContext {
  toolUse?: { id: string };
  signal?: AbortSignal | null | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Loads a deferred tool. */
export interface ToolReference {
  type: 'tool_reference';
  tool_name: string;
}

/** Any tool that a tool runner runs. */
export interface RunnableTool {
  name: string;
  parse?(input: unknown): unknown;
  /** Gives the content of a `tool_result`. */
  run(input: unknown, context?: RunContext): unknown;
}

export interface ToolResult<Tool extends RunnableTool> {
  type: 'tool_result';
  tool_use_id: string;
  content: Content<Tool> | string;
  is_error?: true;
}

type Content<Tool extends RunnableTool> = Awaited<ReturnType<Tool['run']>>;

const NAME = 'Anthropic';
/** A request with more is refused. */
const MAX_DEFERRED = 10_000;
/** As many as the API's own search loads. */
const MAX_LOADED = 5;
/** The most that the service gives: where only some actions are declared, they may stand far below. */
const MAX_FOUND = 50;
/** The most there is: the model sees only references, and what a small budget moves into `more` would lose its rank. */
const MAX_TOKENS = 20_000;

const SEARCH_DESCRIPTION =
  'Find tools for live data, other services, messages, files, computations and more. Search before you say that you cannot do something. ' +
  'The best tools are loaded for you to call, or listed for invoke_service if you have it; if none fits, search again in other words.';

/**
 * `search_services` and `invoke_service` for tool runners and for `messages.create`. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcAnthropicOptions): SvcTool[] {
  return agentTools(optionsWithoutApproval(NAME, options)).map(toSvcTool);
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there; INVALID_REQUEST for one that the API would refuse
 */
export function loadSvcTools(options: ToolsLike | LoadSvcAnthropicOptions = {}): Promise<SvcTool[]> {
  return toBeAwaited(load(options));
}

/**
 * Answers the `tool_use` blocks of a message: the content of the next user message, one `tool_result` for each, in order, whatever went wrong.
 * Nothing for a message without; blocks of other types, also of tools that the API runs itself, are left alone.
 *
 * @param tools those that the model was given; your own too, when they have a `run` as a tool runner needs it
 * @param content `message.content`
 * @throws the reason of `signal`, once it is aborted
 */
export async function callTools<Tool extends RunnableTool>(
  tools: readonly Tool[],
  content: readonly { type: string }[],
  { signal, onProgress }: CallToolsOptions = {},
): Promise<ToolResult<Tool>[]> {
  if (!Array.isArray(tools) || !Array.isArray(content))
    throw new SvcError('INVALID_REQUEST', 'Write `callTools(tools, message.content)`, with tools that were awaited');
  const results = content.filter(isToolUse).map(async (toolUse): Promise<ToolResult<Tool>> => {
    const { id, name, input } = toolUse;
    const result = { type: 'tool_result', tool_use_id: id } as const;
    try {
      signal?.throwIfAborted();
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool) throw forModel(new SvcError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}; call one that you were given`));
      const context = {
        toolUse,
        toolUseBlock: toolUse,
        signal,
        onProgress: onProgress && ((progress: Progress) => onProgress(progress, id)),
      };
      return { ...result, content: (await tool.run(tool.parse ? tool.parse(input) : input, context)) as Content<Tool> };
    } catch (error) {
      signal?.throwIfAborted();
      return { ...result, content: error instanceof ToolError ? (error.content as Content<Tool>) : String(error), is_error: true };
    }
  });
  return Promise.all(results);
}

interface ToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

function isToolUse(block: { type: string }): block is ToolUse {
  return block.type === 'tool_use';
}

function forModel(error: SvcError): ToolError {
  return new ToolError(failedAnswer(error).content);
}

function toSvcTool(tool: AgentTool): SvcTool {
  return {
    type: 'custom',
    name: tool.name,
    description: tool.description,
    input_schema: tool.parameters as SvcTool['input_schema'],
    parse: (input) => input,
    async run(input, { toolUse, signal, onProgress } = {}) {
      const { content, media, error } = await tool.answer(input, { signal: signal ?? undefined, toolCallId: toolUse?.id, onProgress });
      if (error) throw new ToolError(content);
      return media ? [{ type: 'text', text: content }, ...media.map(toSeenBlock)] : content;
    },
  };
}

function toSeenBlock({ mediaType, data, name }: ModelMedia): SeenBlock {
  if (mediaType === 'application/pdf') return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, title: name };
  return { type: 'image', source: { type: 'base64', media_type: mediaType as ImageType, data } };
}

async function load(options: ToolsLike | LoadSvcAnthropicOptions): Promise<SvcTool[]> {
  const { toolSearch, ...rest } = 'definitions' in options ? { tools: options } : options;
  const chosen = optionsWithoutApproval(NAME, rest);
  if (toolSearch) return loadDeferred(chosen);
  const tools = await loadAgentTools(chosen);
  const refused = tools.filter((tool) => !isAccepted(tool)).map(({ name }) => name);
  if (refused.length === 0) return tools.map(toSvcTool);
  const why = 'The API takes no tool with oneOf, anyOf or allOf at the top of its schema';
  throw new SvcError('INVALID_REQUEST', `${why}: leave ${refused.join(', ')} to invoke_service`);
}

/** The API refuses a whole request for one tool that is not. */
function isAccepted({ parameters }: AgentTool): boolean {
  return !['oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in parameters);
}

type SharedOptions = ReturnType<typeof optionsWithoutApproval>;

async function loadDeferred({ tools, dynamicTools = true, staticToolkits, staticActions }: SharedOptions): Promise<SvcTool[]> {
  const chosen = staticToolkits || staticActions ? { staticToolkits, staticActions } : { staticToolkits: ['*'] };
  const loaded = await loadAgentTools({ ...chosen, tools });
  const [search, invoke, ...actions] = loaded as [AgentTool, AgentTool, ...AgentTool[]];
  const deferred = actions.filter(isAccepted).map((action): SvcTool => ({ ...toSvcTool(action), defer_loading: true }));
  if (deferred.length > MAX_DEFERRED) {
    const message = `The API takes ${MAX_DEFERRED} deferred tools, and these are ${deferred.length}: choose some with staticToolkits`;
    throw new SvcError('INVALID_REQUEST', message);
  }
  const declared = new Set(deferred.map(({ name }) => name));
  return [toSearchTool(tools, search, declared, dynamicTools), ...(dynamicTools ? [toSvcTool(invoke)] : []), ...deferred];
}

/** A `tool_result` holds references or texts and never both, and a reference to what is not declared makes the API refuse the conversation for ever. */
function toSearchTool(tools: ToolsLike, search: AgentTool, declared: ReadonlySet<string>, hasInvoke: boolean): SvcTool {
  const asText = toSvcTool(search);
  const { query: about } = Object(search.parameters.properties);
  return {
    ...asText,
    description: SEARCH_DESCRIPTION,
    input_schema: { type: 'object', properties: { query: about }, required: ['query'] },
    async run(input, context) {
      const { query } = Object(input) as { query?: unknown };
      if (typeof query !== 'string') return asText.run(input, context);
      const limit = hasInvoke ? MAX_LOADED : MAX_FOUND;
      const { actions, more = [] } = await tools
        .search(query, { limit, maxTokens: MAX_TOKENS, signal: context?.signal ?? undefined })
        .catch((error: unknown) => {
          throw SvcError.is(error) ? forModel(error) : error;
        });
      const ids = [...actions, ...more].map(({ action }) => action);
      // The best one decides: as a text it comes with its schema, for invoke_service.
      if (hasInvoke && !declared.has(ids[0] ?? '')) return asText.run(input, context);
      const found = ids.filter((id) => declared.has(id)).slice(0, MAX_LOADED);
      if (found.length === 0) return 'No tool was found. Try other words, or say that there is none.';
      return found.map((tool_name) => ({ type: 'tool_reference', tool_name }));
    },
  };
}
