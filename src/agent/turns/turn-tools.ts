/** The two tools for the calls of a turn. */
import { type ChatCompletionTool, SvcError, type SvcErrorCode, Tools, type ToolsOptions } from 'svc-sdk';
import { type AgentTool, agentTools, type CallLimits, type Decision } from 'svc-sdk/agent-tool';
import type { Message, ToolCall } from '../chat/message';
import { raced } from '../lib/races';
import type { CallToConnect } from './connections';
import { errorResult } from './error-result';

export interface CallSettings extends CallLimits {
  signal: AbortSignal;
  idempotencyKey: string;
}

/** The result of checking a code. `later`: the service could not check it. */
export type CodeOutcome = 'done' | 'wrong' | 'later';

/** The service refuses a code with one of these. */
const WRONG_CODE: ReadonlySet<SvcErrorCode> = new Set<SvcErrorCode>(['NOT_FOUND', 'NOT_PERMITTED', 'CONFLICT', 'INVALID_REQUEST']);
const CONFIRM_TIMEOUT_MS = 10_000;

export class TurnTools {
  readonly #tools: Tools;
  /** Only offered tools may be called: `Tools` would run any action by its id, without approval. */
  readonly #offered: ReadonlyMap<string | undefined, AgentTool>;
  readonly #askAbove: string | undefined;

  constructor(options: ToolsOptions, askAbove: string | undefined) {
    this.#tools = new Tools(options);
    this.#askAbove = askAbove;
    const offered = agentTools({ tools: this.#tools, ...(askAbove !== undefined && { askAbove }) });
    this.#offered = new Map(offered.map((tool) => [tool.name, tool]));
  }

  /** Confirms that the person who sent the code is the one who connected the account. */
  async confirm(code: string): Promise<CodeOutcome> {
    try {
      await raced(this.#tools.confirmConnection({ code }), AbortSignal.timeout(CONFIRM_TIMEOUT_MS));
      return 'done';
    } catch (error) {
      return SvcError.is(error) && WRONG_CODE.has(error.code) ? 'wrong' : 'later';
    }
  }

  offered(): Promise<ChatCompletionTool[]> {
    return this.#tools.getTools();
  }

  /**
   * Decides whether a call needs approval. Undefined for a tool that was not offered.
   *
   * @throws SvcError if the need for approval cannot be determined; the reason of `signal`
   */
  async decide({ function: called }: ToolCall, signal: AbortSignal): Promise<Decision | undefined> {
    return this.#offered.get(called?.name)?.decide(called?.arguments, { signal });
  }

  /** @returns the message of role `tool`, also for a failure; or the call that runs when its person has connected an account */
  async answer(call: ToolCall, { maxPayment = this.#askAbove, ...options }: CallSettings): Promise<Message | CallToConnect> {
    const { id, type, function: called } = call;
    const tool = this.#offered.get(called?.name);
    if (!tool) return errorResult(call, unknownTool(called?.name ?? type).toJSON());
    const { content, media = [], error } = await tool.answer(called?.arguments, { ...options, maxPayment });
    const { connect } = error?.details ?? {};
    if (connect?.url !== undefined) return { call, connect: { ...connect, url: connect.url } };
    const images = media
      .filter(({ mediaType }) => mediaType.startsWith('image/'))
      .map(({ mediaType, data }) => `data:${mediaType};base64,${data}`);
    return { role: 'tool', tool_call_id: id, content, ...(images.length > 0 && { svc_images: images }) };
  }
}

function unknownTool(name: string): SvcError {
  const message = `There is no tool ${JSON.stringify(name)}. Find actions with search_services, run one with invoke_service.`;
  return new SvcError('UNKNOWN_TOOL', message);
}
