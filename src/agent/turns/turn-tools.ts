/** The two tools, as the calls of a turn need them. */
import { type ChatCompletionTool, type ResolveResponse, SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { type AgentTool, agentTools, REFUSED_BEFORE_RUN } from 'svc-sdk/agent-tool';
import type { Message, ToolCall } from '../chat/message';

export interface CallSettings {
  signal: AbortSignal;
  idempotencyKey: string;
  maxPayment: string | undefined;
}

export class TurnTools {
  readonly #tools: Tools;
  readonly #invoke: AgentTool | undefined;
  readonly #askAbove: string | undefined;

  constructor(options: ToolsOptions, askAbove: string | undefined) {
    this.#tools = new Tools(options);
    this.#askAbove = askAbove;
    this.#invoke = agentTools({ tools: this.#tools, ...(askAbove !== undefined && { askAbove }) }).find(
      ({ name }) => name === 'invoke_service',
    );
  }

  offered(): Promise<ChatCompletionTool[]> {
    return this.#tools.getTools();
  }

  /**
   * Returns what the call would run, if it needs approval.
   *
   * @throws SvcError if nobody can know; the reason of `signal`
   */
  async approvalFor({ function: called }: ToolCall, signal: AbortSignal): Promise<ResolveResponse | undefined> {
    if (!this.#invoke || called?.name !== this.#invoke.name) return undefined;
    try {
      return await this.#invoke.approval(called.arguments, { signal });
    } catch (error) {
      // The call itself gives the same error, or the kept result of a run before a restart.
      if (SvcError.is(error) && REFUSED_BEFORE_RUN.has(error.code)) return undefined;
      throw error;
    }
  }

  /** @returns the message of role `tool`; a failure is one too */
  async answer({ id, type, function: called }: ToolCall, { maxPayment = this.#askAbove, ...options }: CallSettings): Promise<Message> {
    const { content, media = [] } = await this.#tools.answerTool(called?.name ?? type, called?.arguments, { ...options, maxPayment });
    const images = media
      .filter(({ mediaType }) => mediaType.startsWith('image/'))
      .map(({ mediaType, data }) => `data:${mediaType};base64,${data}`);
    return { role: 'tool', tool_call_id: id, content, ...(images.length > 0 && { svc_images: images }) };
  }
}
