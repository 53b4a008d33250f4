/** The options of every adapter, read and checked. */
import { type ActionInfo, type CallPayment, type GetToolsOptions, SvcError, Tools, type ToolsOptions, toMillionths } from 'svc-sdk';

/** The part of `Tools` that adapters use. A `Tools` from another copy of the package fits too. */
export type ToolsLike = Pick<Tools, 'definitions' | 'loadDefinitions' | 'answerTool' | 'resolve' | 'search'> &
  Partial<Pick<Tools, 'invoke' | 'confirmConnection' | 'result' | 'cancel' | 'decideApproval'>>;

/**
 * The calls that need the approval of a human: `true` for every call, `false` for none. A function chooses calls in addition to those of actions
 * that are declared `destructive`. Default: only calls of `destructive` actions.
 *
 * The function gets the decoded action id and payload, which is what would run.
 */
export type NeedsApproval = boolean | ((action: string, payload: Record<string, unknown>, info: ActionInfo) => boolean | Promise<boolean>);

export interface SvcToolsOptions extends ToolsOptions {
  /** A `Tools` to share, in place of the options of a new one. */
  tools?: ToolsLike | undefined;
  needsApproval?: NeedsApproval | undefined;
  /**
   * Calls of actions with a higher price than this amount, such as `0.50`, need the approval of a human too; also with `needsApproval: false`.
   * Default: a price alone needs no approval.
   */
  askAbove?: string | undefined;
  /**
   * True sends images and PDFs of results to the model. The model must be able to see, and the API must accept them in tool results: Anthropic,
   * Google and OpenAI's Responses API do. Default: a short text in their place. Other APIs, such as chat completions, show the model base64 or
   * refuse the request. Adapters for one API need no option, see docs/content.md.
   */
  images?: boolean | undefined;
  /**
   * True lets programs call the tools: code that the model writes and its provider runs. They may search, and call actions that are `readOnly`, or
   * `idempotent` and not `destructive`, if no human has to approve the call. For the Responses API, Anthropic, the OpenAI Agents SDK, the AI SDK and
   * LangChain; the other adapters refuse it. Default: false. docs/adapters.md.
   */
  programmatic?: boolean | undefined;
}

/** Adds the choice of static tools, which takes a network call. */
export interface LoadSvcToolsOptions extends SvcToolsOptions, GetToolsOptions {}

/** Options for frameworks without approval before a call. */
export type WithoutApproval<Options extends SvcToolsOptions> = Omit<Options, 'needsApproval' | 'askAbove'>;

/** Options of the calls that a framework makes, where it passes no signal to its tools and takes no more than a result from them. */
export interface CallsOptions {
  /** Cancels the calls. */
  signal?: AbortSignal | undefined;
  /** Called for each result of a paid action. */
  onPayment?: ((payment: CallPayment) => void) | undefined;
}

/** Options with their `Tools`, and without undefined members. */
export interface ReadOptions extends GetToolsOptions {
  tools: ToolsLike;
  needsApproval?: NeedsApproval;
  askAbove?: string;
  images?: boolean;
  programmatic?: boolean;
}

/** @throws SvcError INVALID_REQUEST for options that exclude each other */
export function readOptions(options: ToolsLike | LoadSvcToolsOptions = {}): ReadOptions {
  if (options instanceof Promise) throw new SvcError('INVALID_REQUEST', 'The options are a promise: await them first');
  if ('definitions' in options) return { tools: options };
  const { tools: shared, needsApproval, askAbove, images, programmatic, dynamicTools, staticToolkits, staticActions, ...client } = options;
  if (askAbove !== undefined && toMillionths(askAbove) === undefined)
    throw new SvcError('INVALID_REQUEST', `askAbove must be an amount as a text, such as "0.50", not ${String(askAbove)}`);
  const others = Object.keys(withoutUndefined(client));
  if (shared && others.length > 0) throw new SvcError('INVALID_REQUEST', `Give \`tools\` or ${others.join(', ')}, not both`);
  const tools = shared ?? new Tools(client);
  if (typeof tools.answerTool !== 'function' || typeof tools.resolve !== 'function')
    throw new SvcError('INVALID_REQUEST', '`tools` is not a Tools of this version of svc-sdk: make it with `new Tools(…)`');
  return { tools, ...withoutUndefined({ needsApproval, askAbove, images, programmatic, dynamicTools, staticToolkits, staticActions }) };
}

/**
 * The options of a framework without approval: the `Tools` to use, and the choice of static tools.
 *
 * @throws SvcError INVALID_REQUEST for `needsApproval` and `askAbove`, which would have no effect
 */
export function optionsWithoutApproval(
  framework: string,
  options?: ToolsLike | LoadSvcToolsOptions,
): WithoutApproval<LoadSvcToolsOptions> & { tools: ToolsLike } {
  const { needsApproval, askAbove, ...rest } = readOptions(options);
  if (!needsApproval && askAbove === undefined) return rest;
  const option = needsApproval ? 'needsApproval' : 'askAbove';
  throw new SvcError(
    'INVALID_REQUEST',
    `${framework} has no approval before a call, so ${option} has no effect: ask in your own loop with \`tools.resolve()\`, or use a key that may not run such actions`,
  );
}

function withoutUndefined<T extends object>(options: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ReturnType<typeof withoutUndefined<T>>;
}
