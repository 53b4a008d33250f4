/** The agent developer's client: two tools that find and use every action, in any agent loop. Needs only `fetch`. */
import type { ActionMeta } from '../protocol/action-meta';
import type { ApprovalInfo, DecideRequest, RequiredApproval } from '../protocol/approvals';
import type { CallerAsk } from '../protocol/ask';
import type { Credential } from '../protocol/connections';
import type { ContentBlock } from '../protocol/content';
import { SvcError } from '../protocol/errors';
import {
  type CallPayment,
  type InvokeResponse,
  MIN_RESULT_CHARS,
  PATHS,
  type Progress,
  type ResolveResponse,
  type SearchResponse,
  type UnfinishedInvocation,
} from '../protocol/http';
import { MAX_IDEMPOTENCY_KEY_CHARS, parseActionId } from '../protocol/ids';
import { PROGRAM } from '../protocol/program-calls';
import { isActionsPage, isConfirmedConnection, isConnectSession, isUnfinished } from './answers';
import { Caller, MAX_TIMEOUT_MS, type RunCall } from './caller';
import type { AskToApprove } from './caller-approvals';
import type { AskToConnect, FindCredential } from './caller-connections';
import {
  type ChatCompletionTool,
  type ChatCompletionToolCall,
  type ChatCompletionToolMessage,
  toChatCompletionTool,
} from './chat-completions';
import type { CodeRunState } from './code-runs';
import { DEFINITIONS, INVOKE_TOOL, SEARCH_TOOL, type ToolDefinition } from './definitions';
import { type FetchLike, HttpClient } from './http-client';
import { freshIdempotencyKey, idempotencyKeyOf } from './idempotency-key';
import { readArguments } from './json';
import { type ModelMedia, modelMedia } from './model-media';
import { toErrorText, toModelResult, toModelText } from './model-text';
import type { ReportedUsage } from './pending-usage';
import { RUN_CODE_DEFINITION, RUN_CODE_TOOL } from './run-code-definition';
import { readSearchArguments } from './search-arguments';
import { headerText, lowestAmount, resolveBaseUrl, wholeNumber } from './settings';
import { staticTools } from './static-tools';
import { answerToolCalls, type ToolCallRunner } from './tool-calls';

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
  /**
   * Returns the user's credential at the API behind a toolkit, such as `{ bearer }`, before each call of a toolkit that needs one; undefined when
   * there is none. It goes to the processes of that toolkit alone. docs/connections.md.
   */
  connections?: FindCredential | undefined;
  /** Toolkit id -> the name of the connection to use, where the user keeps several. */
  connectionNames?: Readonly<Record<string, string>> | undefined;
  /**
   * Called when the user has to connect an account at `url`, once for each toolkit of a `callTools`. True: the user has done it, and the call is made
   * again. Otherwise the model reads that the user was asked. With this option, no model reads the link.
   */
  onConnectionRequired?: AskToConnect | undefined;
  /**
   * Handling of calls that a person has to approve first. `report`: the model reads that, and what to do next. `wait`: the call waits for the decision until
   * its `timeoutMs` are over. Default: `report`. docs/approvals.md.
   */
  approvals?: 'report' | 'wait' | undefined;
  /**
   * Asks your user about a call whose rule has `decidedBy: 'app'`. Returns the decision, and the call goes on; or undefined, when the user will decide
   * later with `decideApproval`. Needs an agent key: a token decides nothing.
   */
  onApprovalRequired?: AskToApprove | undefined;
  /**
   * True adds a third tool, `run_code`: the service runs a program of the model, whose calls are calls of this key. The service must run code, and the
   * key may. docs/code.md. Default: false.
   */
  code?: boolean | undefined;
}

/** Options of `tools.for`. Those that are absent stay. */
export interface ForOptions
  extends Pick<
    ToolsOptions,
    'userId' | 'sessionId' | 'connections' | 'connectionNames' | 'onConnectionRequired' | 'approvals' | 'onApprovalRequired'
  > {}

export interface ConnectUrlOptions {
  /** Default: that of the `Tools`. */
  userId?: string | undefined;
  /** Toolkit ids. */
  toolkits: readonly string[];
  /** The name of the connection, for a user with several accounts. Default: `default`. */
  name?: string | undefined;
}

export interface ConfirmConnectionOptions {
  /** The code that the connect page showed to the user, or that came to your `returnUrl`. */
  code: string;
  /** The user of this browser or chat, as your application knows it. Default: that of the `Tools`. */
  userId?: string | undefined;
}

/** A connection that can be used now. */
export interface ConfirmedConnection {
  toolkit: string;
  /** The name of the account at the provider. */
  account?: string;
  name: string;
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
  /** `program`: a program of the model's provider made the call. One that it may not make is refused with CALL_DIRECTLY. */
  madeBy?: typeof PROGRAM | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** The user of this call, in place of that of the `Tools`. */
  userId?: string | undefined;
  /** The user's credential at the API behind the toolkit. `connections` of the `Tools` is then not called. */
  connection?: Credential | undefined;
  /** The name of the connection to use, in place of that in `connectionNames`. */
  connectionName?: string | undefined;
  /**
   * False returns at once with a handle for `result` and `cancel`, and the call goes on. `timeoutMs` is then its deadline. Default: the longest that the
   * service allows.
   */
  wait?: true | undefined;
}

export interface ReadResultOptions {
  /** Seconds to wait for the result, 0 to 60. Default: 0. */
  wait?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface RunCodeOptions extends Pick<InvokeOptions, 'signal' | 'idempotencyKey' | 'maxPayment'> {
  /** Milliseconds to wait for the end. Default: `timeoutMs` of the `Tools`. The run goes on after it. */
  timeoutMs?: number | undefined;
}

export interface ResolveOptions {
  signal?: AbortSignal | undefined;
  /** Calls that your user has to approve: the question about such a call is made, for an answer later. */
  ask?: CallerAsk | undefined;
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
  /** A program of the model's provider made the call, as in `InvokeOptions`. `content` of its answer is JSON for code. */
  madeBy?: typeof PROGRAM | undefined;
  /** The most milliseconds that this call may take. The lower one counts, of this and of `timeoutMs` of the `Tools`. */
  longestMs?: number | undefined;
  /** Calls that your user has to approve: the service holds these rules when the call runs. Adapters set it, from `needsApproval`. */
  ask?: CallerAsk | undefined;
  /** Says whether your user has approved a question that you decide (`decidedBy` is `app`). If so, the question is decided, and the call made again. */
  isApproved?: ((approval: RequiredApproval) => boolean) | undefined;
  /** Milliseconds after which a call of a long action answers with its handle. Default: just before the time of the call is over. */
  waitMs?: number | undefined;
  /** The handle of a call that goes on: the answer is its outcome, after at most `waitMs`, and nothing is called. */
  handle?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called for a result that is more than JSON, with its content blocks and the value that is returned for it. */
  onBlocks?: ((blocks: readonly ContentBlock[], value: unknown) => void) | undefined;
  /** Called for the result of an action, without notes and blocks, and with the value that is returned for it. */
  onResult?: ((result: unknown, value: unknown) => void) | undefined;
  /** Called for the result of a paid action. The model does not read the payment. */
  onPayment?: ((payment: CallPayment) => void) | undefined;
  /** Called for `_meta` of a result, which is for MCP clients. */
  onMeta?: ((meta: ActionMeta) => void) | undefined;
  /** Called for a call that goes on without this one. The model reads its handle. */
  onUnfinished?: ((unfinished: UnfinishedInvocation) => void) | undefined;
}

/** The answer to one tool call, for a model. */
export interface ToolAnswer {
  /**
   * The result as JSON; `{result, content}` with words such as `[image image/png, 34 KB]` for a result that is more than JSON;
   * `{error: {code, message, …}}` for a failure.
   */
  value: unknown;
  /**
   * The value as text: a text result unchanged, everything else as compact JSON. A program gets the JSON of the result without notes, a text
   * included.
   */
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
  /** Present for a call that goes on: its handle for `result` and `cancel`. `value` says to the model how to read its result later. */
  unfinished?: UnfinishedInvocation;
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

const WITH_CODE: readonly ToolDefinition[] = Object.freeze([...DEFINITIONS, RUN_CODE_DEFINITION]);

/** Not a field: `for` makes an object whose prototype is a `Tools`, so that a subclass keeps its methods. */
const callers = new WeakMap<Tools, Caller>();

/**
 * ```ts
 * const tools = new Tools();
 * const completion = await openai.chat.completions.create({ model, messages, tools: await tools.getTools() });
 * messages.push(completion.choices[0].message, ...(await tools.callTools(completion.choices[0].message.tool_calls)));
 * ```
 */
export class Tools {
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
    code = false,
    ...options
  }: ToolsOptions = {}) {
    const send: FetchLike = fetch ?? ((url, init) => globalThis.fetch(url, init));
    const settings = {
      http: new HttpClient(resolveBaseUrl(baseUrl), apiKey, send),
      timeoutMs: wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS),
      concurrency: wholeNumber('concurrency', concurrency, 1_000),
      maxResultChars: wholeNumber('maxResultChars', maxResultChars, Number.MAX_SAFE_INTEGER),
      maxSearchTokens,
      maxPayment: lowestAmount('maxPayment', maxPayment),
      definitions: code ? WITH_CODE : DEFINITIONS,
    };
    callers.set(this, new Caller(settings, options));
  }

  /**
   * The same `Tools` for another user or conversation: a light view that shares key and settings, and has its own memory of searches.
   *
   * @throws SvcError INVALID_REQUEST
   */
  for(options: ForOptions): this {
    const tools: this = Object.create(this);
    callers.set(tools, callerOf(this).for(options));
    return tools;
  }

  /** `search_services` and `invoke_service`, with `code: true` also `run_code`; frozen and always the same. */
  definitions(): readonly ToolDefinition[] {
    return callerOf(this).settings.definitions;
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
    const caller = callerOf(this);
    const chosen = await staticTools(selection, (path) => caller.request({ method: 'GET', path, isAnswer: isActionsPage }));
    return [...(dynamicTools ? caller.settings.definitions : []), ...chosen];
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
    const caller = callerOf(this);
    const runner: ToolCallRunner = {
      concurrency: caller.settings.concurrency,
      answer: (name, input, toolCallId, { index, madeBy }) =>
        this.answerTool(name, input, {
          signal,
          toolCallId,
          madeBy,
          idempotencyKey: key && `${key}/${index}`,
          onProgress: onProgress && ((progress) => onProgress(progress, toolCallId)),
          onPayment: onPayment && ((payment) => onPayment(payment, toolCallId)),
        }),
    };
    return caller.askOnce(() => answerToolCalls(toolCalls, runner));
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
    let goesOn: { unfinished: UnfinishedInvocation } | undefined;
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
        onUnfinished(unfinished) {
          goesOn = { unfinished };
          options.onUnfinished?.(unfinished);
        },
      });
      // After a change of the result, its blocks would still show what the change removed.
      const blocks = shown && shown.value === value ? shown.blocks : undefined;
      const result = whole && whole.value === value ? { result: whole.result, ...(shownMeta && { meta: shownMeta }) } : {};
      const media = blocks ? modelMedia(blocks) : [];
      return {
        value,
        ...result,
        ...(blocks && { blocks }),
        ...(media.length > 0 && { media }),
        ...paid,
        ...goesOn,
        content:
          options.madeBy === PROGRAM
            ? JSON.stringify(blocks || goesOn || !('result' in result) ? value : result.result)
            : toModelText(value),
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (!SvcError.is(error)) throw error;
      return { value: { error: error.toJSON() }, content: toErrorText(error, callerOf(this).settings.maxResultChars), error };
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
      madeBy,
      ask,
      isApproved,
      waitMs,
      longestMs,
      handle,
      onProgress,
      onBlocks,
      onResult,
      onPayment,
      onMeta,
      onUnfinished,
    }: CallToolOptions = {},
  ): Promise<unknown> {
    const caller = callerOf(this);
    const isCode = name === RUN_CODE_TOOL && caller.settings.definitions === WITH_CODE;
    if (name !== SEARCH_TOOL && name !== INVOKE_TOOL && !isCode && !parseActionId(name)) {
      throw new SvcError(
        'UNKNOWN_TOOL',
        `There is no tool ${JSON.stringify(name)}. Find actions with ${SEARCH_TOOL}, run one with ${INVOKE_TOOL}.`,
      );
    }
    const read = readArguments(name, input);
    if (name === SEARCH_TOOL) return caller.search({ ...readSearchArguments(read), signal });
    const idempotencyKey =
      headerText('idempotencyKey', ownKey, MAX_IDEMPOTENCY_KEY_CHARS) ?? (await idempotencyKeyOf({ toolCallId, tool: name, input: read }));
    const maxChars = caller.settings.maxResultChars;
    const maxResultChars = maxChars >= MIN_RESULT_CHARS ? maxChars : undefined;
    const options = {
      timeoutMs: longestMs && Math.min(longestMs, caller.settings.timeoutMs),
      signal,
      idempotencyKey,
      maxResultChars,
      maxPayment,
      actionVersion,
      madeBy,
      ask,
      isApproved,
      waitMs,
      onProgress,
      forModel: true,
    };
    const response = isCode
      ? await runCode(caller, read, options)
      : handle === undefined
        ? await caller.invoke(invokeBody(name, read), options)
        : await this.result(handle, { wait: Math.floor((waitMs ?? 0) / 1_000), signal });
    if (isUnfinished(response)) {
      onUnfinished?.(response);
      return (await import('./on-demand')).unfinishedForModel(response);
    }
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
  async resolve(name: string, input: unknown, options: ResolveOptions = {}): Promise<ResolveResponse> {
    return callerOf(this).resolve(invokeBody(name, readArguments(name, input)), options);
  }

  /**
   * Finds actions for a need in plain words, best first: the best few in full, the others by name.
   *
   * @throws SvcError; the reason of `signal`
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    return callerOf(this).search({ query, ...options });
  }

  /**
   * Starts an action and returns its handle; the call goes on without this program. Its result, if it has ended already.
   *
   * @throws SvcError; the reason of `signal`
   */
  async invoke<Result = unknown>(
    action: string,
    payload: unknown,
    options: Omit<InvokeOptions, 'wait'> & { wait: false },
  ): Promise<InvokeResponse<Result> | UnfinishedInvocation>;
  /**
   * Runs an action. `invoke<Forecast>(…)` sets the type of the result, which is not checked.
   *
   * @throws SvcError such as INVALID_PAYLOAD, ACTION_FAILED, INVOCATION_TIMEOUT; the reason of `signal`
   */
  async invoke<Result = unknown>(action: string, payload?: unknown, options?: InvokeOptions): Promise<InvokeResponse<Result>>;
  async invoke(
    action: string,
    payload?: unknown,
    { idempotencyKey, ...options }: Omit<InvokeOptions, 'wait'> & { wait?: boolean | undefined } = {},
  ): Promise<InvokeResponse | UnfinishedInvocation> {
    const key = headerText('idempotencyKey', idempotencyKey, MAX_IDEMPOTENCY_KEY_CHARS) ?? freshIdempotencyKey();
    return callerOf(this).invoke({ action, payload }, { ...options, idempotencyKey: key });
  }

  /**
   * Runs a program at the service, the body of an async function, whose calls are calls of this key: docs/code.md. Resolves with its end, or with how far
   * it is when the time is over or it waits for a person.
   *
   * @throws SvcError ACTION_NOT_ALLOWED when the service or the key runs no code; the reason of `signal`
   */
  async runCode(code: string, { idempotencyKey, ...options }: RunCodeOptions = {}): Promise<CodeRunState> {
    const key = headerText('idempotencyKey', idempotencyKey, MAX_IDEMPOTENCY_KEY_CHARS) ?? freshIdempotencyKey();
    return callerOf(this).run({ code }, { ...options, idempotencyKey: key });
  }

  /**
   * A run that has not ended: as `runCode`, whose time this has too.
   *
   * @param run its id, `run_…`
   */
  async codeRun(run: string, { signal, timeoutMs }: Pick<RunCodeOptions, 'signal' | 'timeoutMs'> = {}): Promise<CodeRunState> {
    return callerOf(this).run({ run }, { signal, timeoutMs, idempotencyKey: freshIdempotencyKey() });
  }

  /**
   * The result of a call that goes on without its caller, or how far it is. Ask again while `status` is there.
   *
   * @param handle `invocationId` of an unfinished call, or the id of an approval
   * @throws SvcError, the one that the call ended with; the reason of `signal`
   */
  async result<Result = unknown>(handle: string, options: ReadResultOptions = {}): Promise<InvokeResponse<Result> | UnfinishedInvocation> {
    return callerOf(this).follow(handle, options) as Promise<InvokeResponse<Result> | UnfinishedInvocation>;
  }

  /**
   * Cancels a call that goes on without its caller, or a run of code; the handler's `ctx.signal` is aborted. A call that has ended stays as it is.
   *
   * @throws SvcError
   */
  async cancel(handle: string): Promise<void> {
    return callerOf(this).cancel(handle);
  }

  /**
   * Reports to the records of the session which tokens your model used. They go along with the next search or call of this `Tools`, or alone after 2 s.
   * Resolves when they are kept. An `Agent` does it by itself.
   *
   * @throws SvcError INVALID_REQUEST for an invalid number, or a `Tools` without `sessionId`
   */
  async reportUsage(usage: ReportedUsage): Promise<void> {
    return callerOf(this).reportUsage(usage);
  }

  /**
   * Sends the reported tokens now, such as at the end of a conversation.
   *
   * @throws SvcError
   */
  async flushUsage(): Promise<void> {
    return callerOf(this).flushUsage();
  }

  /**
   * Decides about a call whose rule has `decidedBy: 'app'`, for your own user. Needs an agent key, so call this in your backend.
   *
   * @param id of `approval` in the error APPROVAL_REQUIRED
   * @throws SvcError CONFLICT when it is decided already; NOT_PERMITTED when it is for others to decide
   */
  async decideApproval(id: string, decision: DecideRequest): Promise<ApprovalInfo> {
    return callerOf(this).decide(id, decision);
  }

  /**
   * A page on which your user connects accounts, also again; valid for 30 minutes. Open it in the user's browser. Needs an agent key, so call this in
   * your backend.
   *
   * @throws SvcError
   */
  async connectUrl({ userId, toolkits, name }: ConnectUrlOptions): Promise<{ url: string; expiresAt: string }> {
    const caller = callerOf(this);
    const body = { userId: userId ?? caller.userId, toolkits, name };
    return caller.request({ method: 'POST', path: PATHS.connectionSessions, body, isAnswer: isConnectSession });
  }

  /**
   * Confirms that the account of a connect page is this user's. The connection is used only after that. Another user than the link was made for ends
   * it, and revokes its tokens.
   *
   * @throws SvcError
   */
  async confirmConnection({ code, userId }: ConfirmConnectionOptions): Promise<ConfirmedConnection> {
    const caller = callerOf(this);
    const body = { code, userId: userId ?? caller.userId };
    return caller.request({ method: 'POST', path: PATHS.connectionConfirmations, body, isAnswer: isConfirmedConnection });
  }
}

/** Every `Tools` has one from its constructor. */
function callerOf(tools: Tools): Caller {
  return callers.get(tools) as Caller;
}

async function runCode(caller: Caller, input: unknown, call: RunCall): Promise<InvokeResponse> {
  const { readRunArguments, runForModel } = await import('./on-demand');
  const { idempotencyKey, signal, maxPayment, ask } = call;
  return runForModel(await caller.run(readRunArguments(input), { idempotencyKey, signal, maxPayment, ask }), caller.showsLinks);
}

/** The arguments of `invoke_service` are sent unchanged: the service corrects small mistakes, the same for every client. */
function invokeBody(tool: string, input: unknown): unknown {
  return tool === INVOKE_TOOL ? input : { action: tool, payload: input };
}
