/** The agent developer's client: two tools that find and use every action, in any agent loop. Needs only `fetch`. */
import type { ActionMeta } from '../protocol/action-meta';
import type { ContentBlock } from '../protocol/content';
import { SvcError } from '../protocol/errors';
import {
  type CallPayment,
  HEADERS,
  type InvokeResponse,
  MIN_RESULT_CHARS,
  PATHS,
  type Progress,
  type ResolveResponse,
  type SearchResponse,
} from '../protocol/http';
import { MAX_IDEMPOTENCY_KEY_CHARS, parseActionId } from '../protocol/ids';
import { isObject } from '../protocol/json-object';
import { SearchMemory } from '../protocol/search-memory';
import { isActionsPage, isInvokeResponse, isResolveResponse, isSearchResponse } from './answers';
import {
  type ChatCompletionTool,
  type ChatCompletionToolCall,
  type ChatCompletionToolMessage,
  toChatCompletionTool,
} from './chat-completions';
import { DEFINITIONS, INVOKE_TOOL, SEARCH_TOOL, type ToolDefinition } from './definitions';
import { type FetchLike, HttpClient, type ServiceRequest } from './http-client';
import { freshIdempotencyKey, idempotencyKeyOf } from './idempotency-key';
import { readArguments } from './json';
import { type ModelMedia, modelMedia } from './model-media';
import { toErrorText, toModelResult, toModelText } from './model-text';
import { readSearchArguments } from './search-arguments';
import { headerText, lowestAmount, resolveBaseUrl, wholeNumber } from './settings';
import { staticTools } from './static-tools';
import { answerToolCalls } from './tool-calls';

export interface ToolsOptions {
  /**
   * Agent key, `svc_agent_…`, or agent token, `svc_token_…`. Default: the environment variable `SVC_AGENT_API_KEY`. A function is called when the
   * key is first needed, and again when the service refuses an expired one: `() => fetch('/svc-token').then((r) => r.text())`.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Address of the service, such as `https://tools.example.com/svc`. Default: the environment variable `SVC_BASE_URL`, then `http://127.0.0.1:8787`. */
  baseUrl?: string | undefined;
  /** Replaces the platform's `fetch`, for proxies, tests and connection pools. */
  fetch?: FetchLike | undefined;
  /** Milliseconds that one call may take, retries included. Default: 60,000. The service has a limit of its own. */
  timeoutMs?: number | undefined;
  /** Tool calls of one `callTools` that run at a time. Default: 10. */
  concurrency?: number | undefined;
  /** Characters of one result that a model gets at once. Default: 40,000. A longer result says how to read on. */
  maxResultChars?: number | undefined;
  /** Tokens (o200k_base) of the answer to one search, 100 to 20,000. Default: 1,200. */
  maxSearchTokens?: number | undefined;
  /** The most that one call may cost, such as `0.05`, in the service's currency. Default: what the budget of the key allows. */
  maxPayment?: string | undefined;
  /**
   * Your id of the end user, 1 to 200 visible ASCII characters. Handlers get it as `ctx.userId`, those of other owners as an
   * id that is theirs alone. The service records it with searches and calls.
   */
  userId?: string | undefined;
  /** Your id of the conversation, 1 to 200 visible ASCII characters. The service records it with searches and calls, for a view of the session. */
  sessionId?: string | undefined;
}

export interface GetToolsOptions {
  /** False leaves out `search_services` and `invoke_service`. */
  dynamicTools?: boolean | undefined;
  /** Toolkit ids, or `*` for all: each of their actions becomes a tool of its own. */
  staticToolkits?: readonly string[] | undefined;
  /** Action ids that become tools of their own. */
  staticActions?: readonly string[] | undefined;
}

export interface SearchOptions {
  /** Maximum number of actions, in full or by name, 1 to 50. Default: 10. */
  limit?: number | undefined;
  /** Tokens of the answer. Default: `maxSearchTokens` of the `Tools`. */
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface InvokeOptions {
  /** Cancels the call; the handler's `ctx.signal` is aborted too. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that this call may take, retries included. */
  timeoutMs?: number | undefined;
  /** 1 to 255 visible ASCII characters: within 24 hours the same key and payload return the first result and run nothing. */
  idempotencyKey?: string | undefined;
  /** The most that this call may cost. The lower one counts, of this and of `maxPayment` of the `Tools`. */
  maxPayment?: string | undefined;
  /**
   * The `version` that `resolve` returned: the call runs this version of the action, or is refused with ACTION_CHANGED. `none`, after `resolve` was
   * refused: the call runs nothing, and returns the outcome that an earlier call with its key left, if there is one.
   */
  actionVersion?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface CallToolOptions {
  signal?: AbortSignal | undefined;
  /** The model's id of the call. With a globally unique id the same call runs once, even if another process makes it again. */
  toolCallId?: string | undefined;
  /**
   * 1 to 255 visible ASCII characters, in place of a key made from `toolCallId`: within 24 hours the same key and arguments return the first result
   * and run nothing. A search takes none and runs again.
   */
  idempotencyKey?: string | undefined;
  /** The most that this call may cost. The lower one counts, of this and of `maxPayment` of the `Tools`. */
  maxPayment?: string | undefined;
  /** The only version of the action that may run, as in `InvokeOptions`. */
  actionVersion?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called for a result that is more than JSON, with its content blocks and the value that is returned for it. */
  onBlocks?: ((blocks: readonly ContentBlock[], value: unknown) => void) | undefined;
  /** Called for the result of an action, without notes and blocks, and with the value that is returned for it. */
  onResult?: ((result: unknown, value: unknown) => void) | undefined;
  /** Called for the result of a paid action. The model does not read the payment. */
  onPayment?: ((payment: CallPayment) => void) | undefined;
  /** Called for `_meta` of a result, which is for MCP clients. */
  onMeta?: ((meta: ActionMeta) => void) | undefined;
}

/** The answer to one tool call, for a model. */
export interface ToolAnswer {
  /**
   * The result as JSON; `{result, content}` with words such as `[image image/png, 34 KB]` for a result that is more than JSON;
   * `{error: {code, message, …}}` for a failure.
   */
  value: unknown;
  /** The value as text: a text result unchanged, everything else as compact JSON. */
  content: string;
  /**
   * Present if the result is more than JSON: first its text, if it has one, then texts, images, files and links in their order. For models that can
   * see, in place of `content`. Written by third parties.
   */
  blocks?: readonly ContentBlock[];
  /** The blocks that a model can look at, in the same order. `content` has words for them too. Absent if there are none. */
  media?: readonly ModelMedia[];
  /** The result of an action alone, without notes and blocks: its beginning as a text when it is too long. Absent for a failure and a search. */
  result?: unknown;
  /** Present for the result of a paid action. `value` and `content` do not have it. */
  payment?: CallPayment;
  /** `_meta` of a result for MCP clients. `value` and `content` do not have it. */
  meta?: ActionMeta;
  /** Present for a failure. */
  error?: SvcError;
}

export interface CallToolsOptions {
  signal?: AbortSignal | undefined;
  /** 1 to 250 visible ASCII characters: call n of the list, from 0, has the key `<idempotencyKey>/<n>`. */
  idempotencyKey?: string | undefined;
  onProgress?: ((progress: Progress, toolCallId: string) => void) | undefined;
  /** Called for each result of a paid action. */
  onPayment?: ((payment: CallPayment, toolCallId: string) => void) | undefined;
}

/** A longer timeout overflows the timers of every platform. */
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/**
 * ```ts
 * const tools = new Tools();
 * const completion = await openai.chat.completions.create({ model, messages, tools: await tools.getTools() });
 * messages.push(completion.choices[0].message, ...(await tools.callTools(completion.choices[0].message.tool_calls)));
 * ```
 */
export class Tools {
  readonly #http: HttpClient;
  readonly #timeoutMs: number;
  readonly #concurrency: number;
  readonly #maxResultChars: number;
  readonly #maxSearchTokens: number | undefined;
  readonly #maxPayment: string | undefined;
  /** Searches that led to calls: the service learns only from calls that name their search. */
  readonly #searches = new SearchMemory();

  /** @throws SvcError INVALID_REQUEST for an invalid option; a missing key fails the first call that needs it */
  constructor({
    apiKey,
    baseUrl,
    fetch,
    timeoutMs = 60_000,
    concurrency = 10,
    maxResultChars = 40_000,
    maxSearchTokens,
    maxPayment,
    userId,
    sessionId,
  }: ToolsOptions = {}) {
    const send: FetchLike = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#http = new HttpClient(resolveBaseUrl(baseUrl), apiKey, send, {
      [HEADERS.userId]: headerText('userId', userId),
      [HEADERS.sessionId]: headerText('sessionId', sessionId),
    });
    this.#timeoutMs = wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS);
    this.#concurrency = wholeNumber('concurrency', concurrency, 1_000);
    this.#maxResultChars = wholeNumber('maxResultChars', maxResultChars, Number.MAX_SAFE_INTEGER);
    this.#maxSearchTokens = maxSearchTokens;
    this.#maxPayment = lowestAmount('maxPayment', maxPayment);
  }

  /** `search_services` and `invoke_service`, frozen and always the same. */
  definitions(): readonly ToolDefinition[] {
    return DEFINITIONS;
  }

  /**
   * Tools in the shape of OpenAI chat completions. Only static tools take a network call.
   *
   * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST when no tool is chosen
   */
  async getTools(options: GetToolsOptions = {}): Promise<ChatCompletionTool[]> {
    return (await this.loadDefinitions(options)).map(toChatCompletionTool);
  }

  /**
   * The same tools in a neutral shape, with the annotations of static actions.
   *
   * @throws SvcError as `getTools`
   */
  async loadDefinitions({ dynamicTools = true, staticToolkits = [], staticActions = [] }: GetToolsOptions = {}): Promise<ToolDefinition[]> {
    if (!dynamicTools && staticToolkits.length + staticActions.length === 0) {
      throw new SvcError('INVALID_REQUEST', 'dynamicTools: false leaves no tools; name some with staticToolkits or staticActions');
    }
    if (typeof staticToolkits === 'string' || typeof staticActions === 'string')
      throw new SvcError('INVALID_REQUEST', 'staticToolkits and staticActions are lists of ids');
    const selection = { toolkits: staticToolkits, actions: staticActions };
    const chosen = await staticTools(selection, (path) => this.#request({ method: 'GET', path, isAnswer: isActionsPage }));
    return [...(dynamicTools ? DEFINITIONS : []), ...chosen];
  }

  /**
   * Answers a model's `message.tool_calls`: one message for each call, in order. A failure is an answer too. Empty for null, undefined and `[]`.
   *
   * @throws the reason of `signal`, once it is aborted; SvcError INVALID_REQUEST for an invalid `idempotencyKey`
   */
  async callTools(
    toolCalls: readonly ChatCompletionToolCall[] | null | undefined,
    { signal, idempotencyKey, onProgress, onPayment }: CallToolsOptions = {},
  ): Promise<ChatCompletionToolMessage[]> {
    const key = headerText('idempotencyKey', idempotencyKey, MAX_IDEMPOTENCY_KEY_CHARS - 5 /* for `/n` */);
    return answerToolCalls(toolCalls, {
      concurrency: this.#concurrency,
      answer: (name, input, toolCallId, index) =>
        this.answerTool(name, input, {
          signal,
          toolCallId,
          idempotencyKey: key && `${key}/${index}`,
          onProgress: onProgress && ((progress) => onProgress(progress, toolCallId)),
          onPayment: onPayment && ((payment) => onPayment(payment, toolCallId)),
        }),
    });
  }

  /**
   * Answers one tool call. A failure is an answer too: for frameworks that take an error as text.
   *
   * @param name `search_services`, `invoke_service` or an action id
   * @param input the model's arguments, as an object or as JSON text
   * @throws the reason of `signal`, once it is aborted
   */
  async answerTool(name: string, input: unknown, options: CallToolOptions = {}): Promise<ToolAnswer> {
    const { signal } = options;
    signal?.throwIfAborted();
    let shown: { blocks: readonly ContentBlock[]; value: unknown } | undefined;
    let whole: { result: unknown; value: unknown } | undefined;
    let paid: { payment: CallPayment } | undefined;
    let shownMeta: ActionMeta | undefined;
    try {
      // A subclass may override `callTool`, to ask a human or to change a result.
      const value = await this.callTool(name, input, {
        ...options,
        onBlocks: (blocks, of) => (shown = { blocks, value: of }),
        onResult: (result, of) => (whole = { result, value: of }),
        onPayment(payment) {
          paid = { payment };
          options.onPayment?.(payment);
        },
        onMeta(meta) {
          shownMeta = meta;
          options.onMeta?.(meta);
        },
      });
      // After a change of the result, its blocks would still show what the change removed.
      const blocks = shown && shown.value === value ? shown.blocks : undefined;
      const result = whole && whole.value === value ? { result: whole.result, ...(shownMeta && { meta: shownMeta }) } : {};
      const media = blocks ? modelMedia(blocks) : [];
      return { value, ...result, ...(blocks && { blocks }), ...(media.length > 0 && { media }), ...paid, content: toModelText(value) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!SvcError.is(error)) throw error;
      return { value: { error: error.toJSON() }, content: toErrorText(error, this.#maxResultChars), error };
    }
  }

  /**
   * Runs one tool call, for frameworks that take an error as an exception.
   *
   * @param name `search_services`, `invoke_service` or an action id
   * @param input the model's arguments, as an object or as JSON text
   * @returns JSON for the model; a text if the result is longer than `maxResultChars`; words in place of images and files
   * @throws SvcError, whose `toJSON()` is for the model; the reason of `signal`
   */
  async callTool(
    name: string,
    input: unknown,
    {
      signal,
      toolCallId,
      idempotencyKey: ownKey,
      maxPayment,
      actionVersion,
      onProgress,
      onBlocks,
      onResult,
      onPayment,
      onMeta,
    }: CallToolOptions = {},
  ): Promise<unknown> {
    if (name !== SEARCH_TOOL && name !== INVOKE_TOOL && !parseActionId(name)) {
      throw new SvcError(
        'UNKNOWN_TOOL',
        `There is no tool ${JSON.stringify(name)}. Find actions with ${SEARCH_TOOL}, run one with ${INVOKE_TOOL}.`,
      );
    }
    const read = readArguments(name, input);
    if (name === SEARCH_TOOL) return this.#search({ ...readSearchArguments(read), signal });
    const idempotencyKey =
      headerText('idempotencyKey', ownKey, MAX_IDEMPOTENCY_KEY_CHARS) ?? (await idempotencyKeyOf({ toolCallId, tool: name, input: read }));
    const maxChars = this.#maxResultChars;
    const maxResultChars = maxChars >= MIN_RESULT_CHARS ? maxChars : undefined;
    const options = { signal, idempotencyKey, maxResultChars, maxPayment, actionVersion, onProgress };
    const response = await this.#invoke(invokeBody(name, read), options);
    const { value, result, blocks } = toModelResult(response, maxChars);
    onResult?.(result, value);
    if (blocks) onBlocks?.(blocks, value);
    if (response.payment) onPayment?.(response.payment);
    if (response.meta) onMeta?.(response.meta);
    return value;
  }

  /**
   * Returns what a tool call would run, without running it, with its price: to decide whether it may.
   *
   * @param name `invoke_service` or an action id
   * @param input the model's arguments, as an object or as JSON text
   * @throws SvcError, the same that the call would give for this action and payload
   */
  async resolve(name: string, input: unknown, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<ResolveResponse> {
    const body = invokeBody(name, readArguments(name, input));
    return this.#request({ method: 'POST', path: PATHS.resolve, body, isAnswer: isResolveResponse, signal });
  }

  /**
   * Finds actions for a need in plain words, best first: the best few in full, the others by name.
   *
   * @throws SvcError; the reason of `signal`
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    return this.#search({ query, ...options });
  }

  /**
   * Runs an action. `invoke<Forecast>(…)` sets the type of the result, which is not checked.
   *
   * @throws SvcError such as INVALID_PAYLOAD, ACTION_FAILED, INVOCATION_TIMEOUT; the reason of `signal`
   */
  async invoke<Result = unknown>(
    action: string,
    payload?: unknown,
    { idempotencyKey, ...options }: InvokeOptions = {},
  ): Promise<InvokeResponse<Result>> {
    const key = headerText('idempotencyKey', idempotencyKey, MAX_IDEMPOTENCY_KEY_CHARS) ?? freshIdempotencyKey();
    const response = await this.#invoke({ action, payload }, { ...options, idempotencyKey: key });
    return response as InvokeResponse<Result>;
  }

  async #search({ signal, maxTokens = this.#maxSearchTokens, ...wish }: SearchOptions & { query: string }): Promise<SearchResponse> {
    let searchId: string | null = null;
    const found = await this.#request({
      method: 'POST',
      path: PATHS.search,
      body: { ...wish, maxTokens },
      isAnswer: isSearchResponse,
      searchId: this.#searches.newest,
      onHeaders: (headers) => {
        searchId = headers.get(HEADERS.searchId);
      },
      signal,
    });
    if (searchId !== null) this.#searches.add(searchId, shownIn(found));
    return found;
  }

  #invoke(
    body: unknown,
    options: InvokeOptions & { idempotencyKey: string; maxResultChars?: number | undefined },
  ): Promise<InvokeResponse> {
    const searchId = isObject(body) ? this.#searches.thatShowed(body.action) : undefined;
    const maxPayment = lowestAmount('maxPayment', this.#maxPayment, options.maxPayment);
    headerText('actionVersion', options.actionVersion);
    return this.#request({ method: 'POST', path: PATHS.invoke, body, isAnswer: isInvokeResponse, searchId, ...options, maxPayment });
  }

  #request<T>({ timeoutMs = this.#timeoutMs, ...request }: Optional<ServiceRequest<T>, 'timeoutMs'>): Promise<T> {
    return this.#http.request({ ...request, timeoutMs: wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS) });
  }
}

/** The arguments of `invoke_service` are sent unchanged: the service corrects small mistakes, the same for every client. */
function invokeBody(tool: string, input: unknown): unknown {
  return tool === INVOKE_TOOL ? input : { action: tool, payload: input };
}

function shownIn({ actions, more = [] }: SearchResponse): string[] {
  return [...actions, ...more].map(({ action }) => action);
}

type Optional<T, Key extends keyof T> = Omit<T, Key> & { [name in Key]?: T[name] | undefined };
