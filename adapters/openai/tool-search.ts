/** Tool search of the Responses API, executed by the client, with openai 6.49 and later. */
import { type ActionInfo, type CallToolsOptions, describeAction, type JsonSchema, SvcError } from 'svc-sdk';
import { optionsWithoutApproval, type ToolsLike } from 'svc-sdk/agent-tool';
import { OPENAI, type SvcOpenAiOptions, type WithImages } from './options';
import {
  callFunctions,
  type FunctionCallOutput,
  itemsOf,
  type ResponsesFunctionTool,
  type ResponsesItem,
  type SeenOutput,
  toResponsesTool,
} from './responses';
import { wholeTools } from './whole-tools';
import { withMethods } from './with-methods';

/** Tools for `responses.create({ tools })`: the whole catalogue behind one search. */
export interface SvcToolSearch<Output = string> extends Array<ToolSearchTool> {
  /**
   * Answers the `tool_search_call` and `function_call` items of `response.output`. A failure is an answer too. Hints and errors of a search
   * follow as a message, because its output holds only tools.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(
    output: readonly ResponsesItem[] | null | undefined,
    options?: CallToolsOptions,
  ): Promise<(ToolSearchOutput | FunctionCallOutput<Output> | DeveloperMessage)[]>;
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

/** The API refuses this request and every later one of the conversation with one of these at the top of a function's schema. */
const REFUSED_KEYWORDS = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

interface ToolSearchCall extends ResponsesItem {
  call_id: string | null;
  execution: string;
  arguments: unknown;
}

interface Found {
  output: ToolSearchOutput;
  message?: DeveloperMessage;
}

/**
 * Tool search in place of `search_services` and `invoke_service`: the model calls each action that it finds as a separate function, named
 * by its action id. Makes no network call.
 *
 * @param options as for `svcTools`
 */
export function svcToolSearch(options: SvcOpenAiOptions & WithImages): SvcToolSearch<SeenOutput>;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch;
export function svcToolSearch(options?: ToolsLike | SvcOpenAiOptions): SvcToolSearch {
  const { tools, images = false, ...selection } = optionsWithoutApproval(OPENAI, options);
  const [name] = Object.keys(selection);
  if (name) throw new SvcError('INVALID_REQUEST', `${name} is for loadSvcResponsesTools, whose tools can be used beside the search`);
  return toToolSearch(tools, images);
}

function toToolSearch(client: ToolsLike, images: boolean): SvcToolSearch {
  const whole = wholeTools(client);
  return withMethods([{ ...TOOL_SEARCH }], {
    async callTools(output, options = {}) {
      // OpenAI itself has answered the other searches.
      const calls = itemsOf<ToolSearchCall>(output, 'tool_search_call').filter(({ execution }) => execution === 'client');
      const [found, answers] = await Promise.all([
        Promise.all(calls.map((call) => search(client, call, options))),
        callFunctions(whole, images, output, options),
      ]);
      return [...found.map((one) => one.output), ...answers, ...found.flatMap(({ message }) => message ?? [])];
    },
  });
}

async function search(client: ToolsLike, { call_id, arguments: input }: ToolSearchCall, { signal }: CallToolsOptions): Promise<Found> {
  try {
    const query = typeof input === 'object' && input && 'query' in input ? input.query : '';
    const { actions, ...rest } = await client.search(String(query ?? ''), { signal });
    return toFound(call_id, actions, rest);
  } catch (error) {
    signal?.throwIfAborted();
    if (!SvcError.is(error)) throw error;
    return toFound(call_id, [], { error: error.toJSON() });
  }
}

function toFound(call_id: string | null, actions: ActionInfo[], rest: object): Found {
  const tools = actions.map(toDeferredTool);
  const output: ToolSearchOutput = { type: 'tool_search_output', call_id, execution: 'client', status: 'completed', tools };
  if (Object.keys(rest).length === 0) return { output };
  return { output, message: { type: 'message', role: 'developer', content: JSON.stringify(rest) } };
}

function toDeferredTool(info: ActionInfo): ToolSearchOutput['tools'][number] {
  const { action, payloadSchema } = info;
  const description = describeAction(info);
  const refused = REFUSED_KEYWORDS.some((keyword) => keyword in payloadSchema);
  const definition = refused
    ? { description: `${description}\nIts arguments: ${JSON.stringify(payloadSchema)}`, parameters: { type: 'object' } }
    : { description, parameters: payloadSchema };
  return { ...toResponsesTool({ name: action, ...definition }), defer_loading: true };
}
