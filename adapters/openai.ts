/**
 * OpenAI: `openai.chat.completions.runTools({ model, messages, tools: svcTools() })`, a loop of your own around chat completions, the Responses API.
 * Translation only; search, retries and limits are the client's. Nothing of `openai` is imported: the shapes fit its types.
 */
import {
  type ActionInfo,
  type CallToolsOptions,
  type ChatCompletionTool,
  type ChatCompletionToolCall,
  type ChatCompletionToolMessage,
  type GetToolsOptions,
  type JsonSchema,
  type ModelMedia,
  SvcError,
  type ToolDefinition,
  type Tools,
} from 'svc-sdk';
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

/** Without approval: OpenAI's loops have no place where a human could be asked. */
export type SvcOpenAiOptions = WithoutApproval<SvcToolsOptions>;
export type LoadSvcOpenAiOptions = WithoutApproval<LoadSvcToolsOptions>;

/** For `create({ tools })` as they are, and for `runTools({ tools })`, which calls them itself. */
export interface SvcTools extends Array<RunnableTool> {
  /**
   * Answers `message.tool_calls` in a loop of your own: one message for each, in order, whatever went wrong.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(
    toolCalls: readonly ChatCompletionToolCall[] | null | undefined,
    options?: CallToolsOptions,
  ): Promise<ChatCompletionToolMessage[]>;
}

export interface RunnableTool extends ChatCompletionTool {
  function: ChatCompletionTool['function'] & { function(input: string, runner: Runner): Promise<string> };
}

/** What is used of the runner that `runTools` gives. */
export interface Runner {
  readonly controller: { readonly signal: AbortSignal };
  readonly messages: readonly { readonly role: string; readonly tool_calls?: readonly ChatCompletionToolCall[] }[];
}

/** For `responses.create({ tools })`. */
export interface SvcResponsesTools<Output = string> extends Array<ResponsesFunctionTool> {
  /**
   * Answers the `function_call` items of `response.output`: one item for each, in order, whatever went wrong. Items of other types get none.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(output: readonly ResponsesItem[] | null | undefined, options?: CallToolsOptions): Promise<FunctionCallOutput<Output>[]>;
  /** For `new ResponsesToolRunner({ functions })` of openai 7. */
  readonly functions: RunnerFunction[];
}

/** The catalogue as tool search that the client executes, for `responses.create({ tools })` with openai 6.49 and later. */
export interface SvcToolSearch<Output = string> extends Array<ToolSearchTool> {
  /**
   * Answers the `tool_search_call` and `function_call` items of `response.output`, whatever went wrong. What a search has to say beside
   * the tools that it found, such as an error, follows as a message.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(
    output: readonly ResponsesItem[] | null | undefined,
    options?: CallToolsOptions,
  ): Promise<(ToolSearchOutput | FunctionCallOutput<Output> | DeveloperMessage)[]>;
}

export interface ResponsesItem {
  type: string;
}

export interface ResponsesFunctionTool {
  type: 'function';
  name: string;
  description: string;
  parameters: JsonSchema;
  /** Strict functions allow no free-form payload. */
  strict: false;
}

export interface FunctionCallOutput<Output = string> {
  type: 'function_call_output';
  call_id: string;
  output: Output;
}

/** With `images: true`: a text, or a text and what the model looks at. openai 5 has no types for these. */
export type SeenOutput = string | SeenPart[];

export type SeenPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string };

type Sees = { images: true };

export interface RunnerFunction {
  tool: ResponsesFunctionTool;
  independent: true;
  execute(input: Record<string, unknown>, options?: { signal: AbortSignal | undefined }): Promise<string>;
}

export interface ToolSearchTool {
  type: 'tool_search';
  execution: 'client';
  description: string;
  parameters: JsonSchema;
}

export interface ToolSearchOutput {
  type: 'tool_search_output';
  call_id: string | null;
  execution: 'client';
  status: 'completed';
  tools: (ResponsesFunctionTool & { defer_loading: true })[];
}

export interface DeveloperMessage {
  type: 'message';
  role: 'developer';
  content: string;
}

/**
 * `search_services` and `invoke_service` for chat completions. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcOpenAiOptions): SvcTools {
  const sharing = sharingTools(options);
  return toSvcTools(sharing.tools, agentTools(sharing));
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcTools> {
  return toBeAwaited(load(options, toSvcTools), 'map');
}

/** `svcTools` for the Responses API. */
export function svcResponsesTools(options: SvcOpenAiOptions & Sees): SvcResponsesTools<SeenOutput>;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): SvcResponsesTools;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): SvcResponsesTools {
  const sharing = sharingTools(options);
  return toSvcResponsesTools(sharing.tools, agentTools(sharing));
}

/** `loadSvcTools` for the Responses API. */
export function loadSvcResponsesTools(options: LoadSvcOpenAiOptions & Sees): Promise<SvcResponsesTools<SeenOutput>>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcResponsesTools>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcResponsesTools> {
  return toBeAwaited(load(options, toSvcResponsesTools), 'map');
}

/**
 * Tool search in place of `search_services` and `invoke_service`: the model calls each action that it finds as a function of its own, named
 * by its action id. Makes no network call.
 *
 * @param options as for `svcTools`
 */
export function svcToolSearch(options: SvcOpenAiOptions & Sees): SvcToolSearch<SeenOutput>;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch {
  const { tools, images = false, ...selection } = sharingTools(options);
  const [name] = Object.keys(selection);
  if (name) throw new SvcError('INVALID_REQUEST', `${name} is for loadSvcResponsesTools, whose tools can stand beside the search`);
  return withProperties([{ ...TOOL_SEARCH }], {
    async callTools(output, callOptions = {}) {
      // The others were answered by OpenAI itself.
      const calls = itemsOf<ToolSearchCall>(output, 'tool_search_call').filter(({ execution }) => execution === 'client');
      const searches = calls.map((call) => searchTools(tools, call, callOptions));
      const [found, answers] = await Promise.all([Promise.all(searches), callFunctions(tools, images, output, callOptions)]);
      return [...found.map((search) => search.output), ...answers, ...found.flatMap(({ message }) => message ?? [])];
    },
  });
}

/** What answers whole messages too. */
type WholeTools = ToolsLike & Pick<Tools, 'callTools'>;

/** One `Tools` for the tools and for the calls of names that are none. */
function sharingTools(options?: ToolsLike | LoadSvcOpenAiOptions): GetToolsOptions & { tools: WholeTools; images?: boolean | undefined } {
  const { tools, ...selection } = optionsWithoutApproval('OpenAI', options);
  if (!isWhole(tools)) throw new SvcError('INVALID_REQUEST', '`tools` cannot answer whole messages: make it with `new Tools(…)`');
  return { ...selection, tools };
}

function isWhole(tools: ToolsLike): tools is WholeTools {
  return 'callTools' in tools;
}

async function load<List>(
  options: ToolsLike | LoadSvcOpenAiOptions | undefined,
  translate: (tools: WholeTools, list: AgentTool[]) => List,
): Promise<List> {
  const sharing = sharingTools(options);
  return translate(sharing.tools, await loadAgentTools(sharing));
}

function toSvcTools(tools: WholeTools, list: AgentTool[]): SvcTools {
  return withProperties(list.map(toRunnableTool), { callTools: (toolCalls, options) => tools.callTools(toolCalls, options) });
}

function toRunnableTool({ name, description, parameters, answer }: AgentTool): RunnableTool {
  const run: RunnableTool['function']['function'] = async (input, runner) => {
    // A throw would end the run, so the model reads a failure as a result.
    const { content } = await answer(input, { signal: runner.controller.signal, toolCallId: toolCallIdOf(runner, name, input) });
    return content;
  };
  return { type: 'function', function: { name, description, parameters, function: run } };
}

/** `runTools` does not tell the id of a call; it is known when no other call of the message has the same name and arguments. */
function toolCallIdOf({ messages }: Runner, name: string, input: string): string | undefined {
  const toolCalls = messages.findLast((message) => message.tool_calls)?.tool_calls ?? [];
  const same = toolCalls.filter(({ function: called }) => called?.name === name && called.arguments === input);
  const [id, ...others] = new Set(same.map((toolCall) => toolCall.id));
  return others.length === 0 ? id : undefined;
}

function toSvcResponsesTools(tools: WholeTools, list: AgentTool[]): SvcResponsesTools {
  return withProperties(list.map(toResponsesTool), {
    callTools: (output, options) =>
      callFunctions(
        tools,
        list.some(({ images }) => images),
        output,
        options,
      ),
    functions: list.map(toRunnerFunction),
  });
}

function toResponsesTool({ name, description, parameters }: ToolDefinition): ResponsesFunctionTool {
  return { type: 'function', name, description, parameters, strict: false };
}

function toRunnerFunction(tool: AgentTool): RunnerFunction {
  return {
    tool: toResponsesTool(tool),
    independent: true,
    // A throw would end the run here too.
    execute: async (input, options) => (await tool.answer(input, options)).content,
  };
}

interface FunctionCall extends ResponsesItem {
  call_id: string;
  name: string;
  arguments: string;
}

/** The overloads of the exported functions say which of the two outputs it is. */
async function callFunctions(
  tools: WholeTools,
  images: boolean,
  output: readonly ResponsesItem[] | null | undefined,
  options: CallToolsOptions = {},
): Promise<FunctionCallOutput<string>[]> {
  const calls = itemsOf<FunctionCall>(output, 'function_call');
  if (images) return Promise.all(calls.map((call) => showOutput(tools, call, options))) as Promise<FunctionCallOutput<string>[]>;
  const toolCalls = calls.map(({ call_id, name, arguments: input }) => ({
    id: call_id,
    type: 'function',
    function: { name, arguments: input },
  }));
  const messages = await tools.callTools(toolCalls, options);
  return messages.map(({ tool_call_id, content }) => ({ type: 'function_call_output', call_id: tool_call_id, output: content }));
}

async function showOutput(
  tools: WholeTools,
  { call_id, name, arguments: input }: FunctionCall,
  { signal, onProgress }: CallToolsOptions,
): Promise<FunctionCallOutput<SeenOutput>> {
  const { content, media } = await tools.answerTool(name, input, {
    signal,
    toolCallId: call_id,
    onProgress: onProgress && ((progress) => onProgress(progress, call_id)),
  });
  const output: SeenOutput = media ? [{ type: 'input_text', text: content }, ...media.map(toSeenPart)] : content;
  return { type: 'function_call_output', call_id, output };
}

function toSeenPart({ mediaType, data, name }: ModelMedia): SeenPart {
  const url = `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { type: 'input_image', image_url: url, detail: 'auto' };
  return { type: 'input_file', filename: name, file_data: url };
}

const TOOL_SEARCH: ToolSearchTool = {
  type: 'tool_search',
  execution: 'client',
  description:
    'Finds functions that you can call then: live data, other services, messages, files, computations and more. Search before you say ' +
    'that you cannot do something; if none fits, search again in other words.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What one function should do, in plain words, e.g. "weather forecast for a city"' },
    },
    required: ['query'],
    additionalProperties: false,
  },
};

/** With one of these at the top of a function's schema the API refuses the whole request, and with it every later one of the conversation. */
const REFUSED_KEYWORDS = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

interface ToolSearchCall extends ResponsesItem {
  call_id: string | null;
  execution: string;
  arguments: unknown;
}

interface SearchAnswer {
  output: ToolSearchOutput;
  message?: DeveloperMessage;
}

async function searchTools(
  tools: WholeTools,
  { call_id, arguments: input }: ToolSearchCall,
  { signal }: CallToolsOptions,
): Promise<SearchAnswer> {
  try {
    const { actions, ...rest } = await tools.search(String(Object(input).query ?? ''), { signal });
    return toSearchAnswer(call_id, actions, rest);
  } catch (error) {
    signal?.throwIfAborted();
    if (!SvcError.is(error)) throw error;
    return toSearchAnswer(call_id, [], { error: error.toJSON() });
  }
}

function toSearchAnswer(call_id: string | null, actions: ActionInfo[], rest: object): SearchAnswer {
  const tools = actions.map(toDeferredTool);
  const output: ToolSearchOutput = { type: 'tool_search_output', call_id, execution: 'client', status: 'completed', tools };
  if (Object.keys(rest).length === 0) return { output };
  // The output has no place for words.
  return { output, message: { type: 'message', role: 'developer', content: JSON.stringify(rest) } };
}

function toDeferredTool({ action, description, payloadSchema }: ActionInfo): ToolSearchOutput['tools'][number] {
  const refused = REFUSED_KEYWORDS.some((keyword) => keyword in payloadSchema);
  const definition = refused
    ? { description: `${description}\nIts arguments: ${JSON.stringify(payloadSchema)}`, parameters: { type: 'object' } }
    : { description, parameters: payloadSchema };
  return { ...toResponsesTool({ name: action, ...definition }), defer_loading: true };
}

function itemsOf<Item extends ResponsesItem>(output: readonly ResponsesItem[] | null | undefined, type: string): Item[] {
  if (output && !Array.isArray(output))
    throw new SvcError('INVALID_REQUEST', 'callTools takes the list `response.output`, not the response');
  return (output ?? []).filter((item): item is Item => item?.type === type);
}

/** Not enumerable, so that the list stays what it is to those who copy or print it. */
function withProperties<List extends unknown[]>(items: List[number][], properties: Omit<List, keyof unknown[]>): List {
  const descriptors = Object.entries(properties).map(([name, value]) => [name, { value }]);
  return Object.defineProperties(items, Object.fromEntries(descriptors)) as List;
}
