/** The two tools for the calls of a turn. */
import { type ChatCompletionTool, type RequiredApproval, SvcError, type SvcErrorCode, Tools, type ToolsOptions } from 'svc-sdk';
import { type AgentTool, type ApprovedCall, agentTools, type Decision } from 'svc-sdk/agent-tool';
import type { Message, ToolCall } from '../chat/message';
import { raced } from '../lib/races';
import type { TokenCount } from '../model/ask-model';
import type { CallToConnect } from './connections';
import { errorResult } from './error-result';

export interface CallSettings extends ApprovedCall {
  signal: AbortSignal;
  idempotencyKey: string;
}

/** The result of checking a code. `later`: the service could not check it. */
export type CodeOutcome = 'done' | 'wrong' | 'later';

/** The service refuses a code with one of these. */
const WRONG_CODE: ReadonlySet<SvcErrorCode> = new Set<SvcErrorCode>(['NOT_FOUND', 'NOT_PERMITTED', 'CONFLICT', 'INVALID_REQUEST']);
const CONFIRM_TIMEOUT_MS = 10_000;

/** The rules of the program for the calls of a turn. */
export interface TurnRules {
  /** False: calls run without a question of the program. */
  asks: boolean;
  askAbove: string | undefined;
}

/** A call that a person elsewhere has to approve first. */
export interface CallToDecide {
  call: ToolCall;
  approval: RequiredApproval;
  /** The error for the model, without a decision. */
  refusal: SvcError;
}

export class TurnTools {
  readonly #tools: Tools;
  /** Only offered tools may be called: `Tools` would run any action by its id, without approval. */
  readonly #offered: ReadonlyMap<string | undefined, AgentTool>;
  readonly #rules: TurnRules;

  constructor(options: ToolsOptions, rules: TurnRules) {
    this.#tools = new Tools(options);
    this.#rules = rules;
    const { asks, askAbove } = rules;
    const offered = agentTools({ tools: this.#tools, ...(asks ? { askAbove } : { needsApproval: false }) });
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

  /** Reports the tokens of one answer of the model. A report that fails must not end the turn. */
  reportTokens(model: string, { input, output }: TokenCount): void {
    if (input + output > 0) this.#tools.reportUsage({ model, inputTokens: input, outputTokens: output }).catch(() => {});
  }

  flushTokens(): Promise<void> {
    return this.#tools.flushUsage();
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

  /** Reads whether people have decided about a call. The error of one that they refused. */
  async decisionOn(handle: string): Promise<'open' | 'approved' | SvcError> {
    try {
      const found = await this.#tools.result(handle);
      return 'status' in found && found.status === 'waiting' ? 'open' : 'approved';
    } catch (error) {
      // Also the error of the approved call: the same call gets it.
      if (!SvcError.is(error) || error.code === 'SERVICE_UNREACHABLE') return 'open';
      return error.code === 'APPROVAL_DENIED' ? error : 'approved';
    }
  }

  /**
   * @returns the message of role `tool`, also for a failure; or the call that runs when its person has connected an account, or when a person elsewhere
   * has approved it
   */
  async answer(
    call: ToolCall,
    { maxPayment = this.#rules.askAbove, ...options }: CallSettings,
  ): Promise<Message | CallToConnect | CallToDecide> {
    const { id, type, function: called } = call;
    const tool = this.#offered.get(called?.name);
    if (!tool) return errorResult(call, unknownTool(called?.name ?? type).toJSON());
    const { content, media = [], error } = await tool.answer(called?.arguments, { ...options, maxPayment });
    const { connect, approval } = error?.details ?? {};
    if (error?.code === 'APPROVAL_REQUIRED' && approval && this.#isForOthers(approval)) return { call, approval, refusal: error };
    if (connect?.url !== undefined) return { call, connect: { ...connect, url: connect.url } };
    const images = media
      .filter(({ mediaType }) => mediaType.startsWith('image/'))
      .map(({ mediaType, data }) => `data:${mediaType};base64,${data}`);
    return { role: 'tool', tool_call_id: id, content, ...(images.length > 0 && { svc_images: images }) };
  }

  #isForOthers({ decidedBy }: RequiredApproval): boolean {
    return decidedBy === 'people' || !this.#rules.asks;
  }
}

function unknownTool(name: string): SvcError {
  const message = `There is no tool ${JSON.stringify(name)}. Find actions with search_services, run one with invoke_service.`;
  return new SvcError('UNKNOWN_TOOL', message);
}
