/**
 * What every adapter is made of: one tool of a model in no framework's words, with all that a framework asks of a tool. An adapter only
 * translates it; one for another framework is 20 lines, see docs/adapters.md.
 */
import {
  type ActionInfo,
  type CallToolOptions,
  type GetToolsOptions,
  type ModelMedia,
  type ResolveResponse,
  SvcError,
  type SvcErrorCode,
  type ToolAnswer,
  type ToolDefinition,
  Tools,
  type ToolsOptions,
} from 'svc-sdk';

/** A `Tools`, by what is used of it: also one of another copy of the package. */
export type ToolsLike = Pick<Tools, 'definitions' | 'loadDefinitions' | 'answerTool' | 'resolve' | 'search'>;

/**
 * Whether a human is asked before a call runs: `true` before every call, `false` before none, a function before those that it says, and those
 * of actions that are declared `destructive`. Unless told: before those alone.
 *
 * The function gets what would be dispatched: the decoded action id and payload, whatever the model wrote around them.
 */
export type NeedsApproval = boolean | ((action: string, payload: Record<string, unknown>, info: ActionInfo) => boolean | Promise<boolean>);

export interface SvcToolsOptions extends ToolsOptions {
  /** A `Tools` to share, in place of the options of a new one. */
  tools?: ToolsLike | undefined;
  needsApproval?: NeedsApproval | undefined;
  /**
   * True: images and PDFs of results go to the model, for a model that sees and an API that takes them in the results of tools: those of
   * Anthropic and Google, OpenAI's Responses API and more. Default: words in their place. Through other APIs, such as chat completions, a model
   * would read base64, or the request would be refused. Adapters that know their API need no telling, see docs/content.md.
   */
  images?: boolean | undefined;
}

/** With the choice of tools, which takes a network call for static ones. */
export interface LoadSvcToolsOptions extends SvcToolsOptions, GetToolsOptions {}

/** For frameworks that have no place in which a human could be asked. */
export type WithoutApproval<Options extends SvcToolsOptions> = Omit<Options, 'needsApproval'>;

export interface AgentTool extends ToolDefinition {
  /** Whether images of results may go to the model, as the options say. */
  readonly images: boolean;
  /**
   * Answers a call, whatever went wrong.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  answer(input: unknown, options?: CallToolOptions): Promise<ToolAnswer>;
  /**
   * The same, with a failure as an exception whose message is the JSON that the model has to read. With `images`, what the model can look at
   * stands in the JSON: `splitMedia` takes it out again.
   *
   * @throws SvcError; the reason of `signal`
   */
  call(input: unknown, options?: CallToolOptions): Promise<unknown>;
  /**
   * The same for a call that no human has approved: one that needs it does not run, whatever the framework made of the answer before.
   *
   * @throws as `call`
   */
  callUnapproved(input: unknown, options?: CallToolOptions): Promise<unknown>;
  /**
   * What a human has to approve before the call runs; undefined when nobody has to.
   *
   * @throws SvcError when the call cannot be made as it is, or nobody can tell now
   */
  approval(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<ResolveResponse | undefined>;
  /** For frameworks that ask before a call and cannot take an error there. Rather asks in vain than not at all. */
  needsApproval(input: unknown): Promise<boolean>;
}

const SEARCH_TOOL = 'search_services';
const NOBODY_APPROVED =
  'This call needs approval, and nobody has approved exactly this call: make it again with an id of its own, and with nothing beside what the tool takes. A program that asks by itself sets needsApproval: false';

/** By these the service refuses a call before it runs. Any other error says nothing about what the call would do. */
const REFUSALS: ReadonlySet<SvcErrorCode> = new Set<SvcErrorCode>([
  'INVALID_REQUEST',
  'INVALID_PAYLOAD',
  'REQUEST_TOO_LARGE',
  'ACTION_NOT_FOUND',
  'ACTION_NOT_ALLOWED',
  'INVALID_KEY',
  'KEY_EXPIRED',
  'KEY_REVOKED',
  'WRONG_KEY_KIND',
]);

/** `search_services` and `invoke_service`. Makes no network call. */
export function agentTools(options: ToolsLike | SvcToolsOptions = {}): AgentTool[] {
  const { tools, selection, ...rules } = readOptions(options);
  const [name] = Object.keys(selection);
  if (name) throw new SvcError('INVALID_REQUEST', `${name} takes a network call: write \`await loadSvcTools({ ${name}: … })\` instead`);
  return tools.definitions().map((definition) => agentTool(tools, definition, rules));
}

/**
 * The same, and static toolkits and actions as tools of their own.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for a static action or toolkit that is not there; INVALID_REQUEST when nothing is asked for
 */
export async function loadAgentTools(options: ToolsLike | LoadSvcToolsOptions = {}): Promise<AgentTool[]> {
  const { tools, selection, ...rules } = readOptions(options);
  const definitions = await tools.loadDefinitions(selection);
  return definitions.map((definition) => agentTool(tools, definition, rules));
}

/**
 * What is to be had by options of frameworks that ask nobody: the `Tools` that is meant, and what is chosen of it.
 *
 * @throws SvcError INVALID_REQUEST for `needsApproval`, which would not protect from anything
 */
export function optionsWithoutApproval(
  framework: string,
  options: ToolsLike | LoadSvcToolsOptions = {},
): WithoutApproval<LoadSvcToolsOptions> & { tools: ToolsLike } {
  const { tools, needsApproval, images, selection } = readOptions(options);
  if (!needsApproval) return { tools, ...(images && { images }), ...selection };
  throw new SvcError(
    'INVALID_REQUEST',
    `${framework} asks nobody before a call, so needsApproval has no effect: ask in a loop of your own, where \`tools.resolve()\` tells what a call would run, or use a key that may not run such actions`,
  );
}

/**
 * Fails where a framework takes the promise for the tools: an empty object to most, whose agent then chats on without any tool.
 *
 * @param property that the framework reads, when it does not look at all of them
 */
export function toBeAwaited<T>(promise: Promise<T>, property = 'await loadSvcTools()'): Promise<T> {
  const get = (): never => {
    throw new SvcError('INVALID_REQUEST', 'Tools that are loaded come as a promise: write `tools: await loadSvcTools(…)`');
  };
  return Object.defineProperties(promise, { [property]: { enumerable: true, get }, [Symbol.iterator]: { get } });
}

interface Rules {
  needsApproval: NeedsApproval | undefined;
  images: boolean;
}

interface ReadOptions extends Rules {
  tools: ToolsLike;
  /** Only what was chosen. */
  selection: GetToolsOptions;
}

function readOptions(options: ToolsLike | LoadSvcToolsOptions): ReadOptions {
  if (options instanceof Promise) throw new SvcError('INVALID_REQUEST', 'The options are a promise: await them first');
  if ('definitions' in options) return { tools: options, needsApproval: undefined, images: false, selection: {} };
  const { tools, needsApproval, images = false, dynamicTools, staticToolkits, staticActions, ...rest } = options;
  const selection = withoutUndefined({ dynamicTools, staticToolkits, staticActions });
  if (tools === undefined) return { tools: new Tools(rest), needsApproval, images, selection };
  const others = Object.keys(withoutUndefined(rest));
  if (others.length > 0) throw new SvcError('INVALID_REQUEST', `Give \`tools\` or ${others.join(', ')}, not both`);
  if (typeof tools.answerTool !== 'function' || typeof tools.resolve !== 'function')
    throw new SvcError('INVALID_REQUEST', '`tools` is no Tools of this version of svc-sdk: make it with `new Tools(…)`');
  return { tools, needsApproval, images, selection };
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function agentTool(tools: ToolsLike, definition: ToolDefinition, { needsApproval, images }: Rules): AgentTool {
  const { name } = definition;
  const tool: AgentTool = {
    ...definition,
    images,
    answer: (input, options) => tools.answerTool(name, input, options),
    async call(input, options) {
      const answer = await tools.answerTool(name, input, options);
      if (answer.error) throw errorForModel(answer.error, answer);
      return images ? withMedia(answer) : answer.value;
    },
    async callUnapproved(input, options) {
      const needed = await tool.approval(input, options).catch((error: unknown) => {
        throw SvcError.is(error) ? errorForModel(error) : error;
      });
      if (!needed) return tool.call(input, options);
      throw errorForModel(new SvcError('INVALID_REQUEST', NOBODY_APPROVED));
    },
    async approval(input, options) {
      if (name === SEARCH_TOOL || needsApproval === false) return undefined;
      const resolved = await tools.resolve(name, input, options);
      const { action, payload } = resolved;
      const asked = typeof needsApproval === 'function' ? await needsApproval(action.action, payload, action) : needsApproval;
      return asked || action.annotations?.destructive ? resolved : undefined;
    },
    async needsApproval(input) {
      try {
        return (await tool.approval(input)) !== undefined;
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        // What is wrong with the call itself stays wrong: the model is told when it runs.
        return !REFUSALS.has(error.code);
      }
    },
  };
  return tool;
}

const MEDIA = 'svc_media';

/** An output that frameworks keep as JSON and hand to a model later, when nothing but that JSON is left. */
function withMedia({ value, media }: ToolAnswer): unknown {
  const { [MEDIA]: taken, ...own } = Object(value) as Record<string, unknown>;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (media) return { ...(isObject ? own : { result: value }), [MEDIA]: media };
  // The handler's own, and not checked.
  return taken === undefined ? value : { result: own };
}

/** What `call` gave, also after it was stored as JSON: the words for the model, and what it can look at. */
export function splitMedia(output: unknown): { value: unknown; media: readonly ModelMedia[] } {
  const { [MEDIA]: media, ...value } = Object(output) as Record<string, unknown>;
  return Array.isArray(media) ? { value, media } : { value: output, media: [] };
}

/** What a model is told of a failure that an adapter itself meets. */
export function failedAnswer(error: SvcError): ToolAnswer {
  const value = { error: error.toJSON() };
  return { value, content: JSON.stringify(value), error };
}

/** Frameworks show a model an error's `message`, or its `String()`. */
function errorForModel(error: SvcError, { content } = failedAnswer(error)): SvcError {
  const forModel = new SvcError(error.code, content, error.details, { cause: error });
  return Object.assign(forModel, { toString: () => content, toJSON: () => error.toJSON() });
}
