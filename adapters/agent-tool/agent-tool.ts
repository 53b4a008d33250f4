/** One tool of a model in no framework's words. */
import { type CallToolOptions, type ResolveResponse, SvcError, type ToolAnswer, type ToolDefinition } from 'svc-sdk';
import { findApproval, NOT_APPROVED, REFUSED_BEFORE_RUN, shownPrice } from './approval';
import { errorForModel, withMedia } from './model-answer';
import type { NeedsApproval, ToolsLike } from './options';
import { isAbove, rememberLimit, takeLimit } from './price-limits';

export interface AgentTool extends ToolDefinition {
  /** Whether images of results may go to the model; from the options. */
  readonly images: boolean;
  /** The price up to which nobody is asked; from the options. */
  readonly askAbove: string | undefined;
  /**
   * Answers a call. A failure is an answer too.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  answer(input: unknown, options?: CallToolOptions): Promise<ToolAnswer>;
  /**
   * The value of the answer. A failure throws an error whose message is JSON for the model. With `images`, the value holds what the model can
   * look at: `splitMedia` separates the two.
   *
   * @throws SvcError; the reason of `signal`
   */
  call(input: unknown, options?: CallToolOptions): Promise<unknown>;
  /**
   * Like `call`, for a call that no human has approved: one that needs approval does not run, whatever the framework did before.
   *
   * @throws as `call`
   */
  callUnapproved(input: unknown, options?: CallToolOptions): Promise<unknown>;
  /**
   * The call that a human has to approve before it runs; undefined if the call needs no approval. Pass `maxPayment` to the call that follows: the
   * price that the human saw (`action.payment?.amount ?? '0'`), else `askAbove`.
   *
   * @throws SvcError when the call is invalid, or the service cannot be asked
   */
  approval(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<ResolveResponse | undefined>;
  /**
   * A check for frameworks that ask before a call and accept no error there. In doubt the answer is true. The same call then costs at most what this
   * check saw, if it runs in this process.
   */
  needsApproval(input: unknown, options?: { toolCallId?: string | undefined }): Promise<boolean>;
}

interface Rules {
  needsApproval: NeedsApproval | undefined;
  askAbove: string | undefined;
  images: boolean | undefined;
}

export function agentTool(tools: ToolsLike, definition: ToolDefinition, { needsApproval, askAbove, images = false }: Rules): AgentTool {
  const { name } = definition;
  const answer: AgentTool['answer'] = (input, options) => {
    const { toolCallId, maxPayment } = options ?? {};
    const limit = takeLimit({ name, toolCallId, input });
    const limited = limit !== undefined && (maxPayment === undefined || isAbove(maxPayment, limit));
    return tools.answerTool(name, input, limited ? { ...options, maxPayment: limit } : options);
  };
  const tool: AgentTool = {
    ...definition,
    images,
    askAbove,
    answer,
    async call(input, options) {
      const answered = await answer(input, options);
      if (answered.error) throw errorForModel(answered.error, answered);
      return images ? withMedia(answered) : answered.value;
    },
    async callUnapproved(input, options) {
      const needed = await tool.approval(input, options).catch((error: unknown) => {
        throw SvcError.is(error) ? errorForModel(error) : error;
      });
      if (!needed) return tool.call(input, { ...options, maxPayment: options?.maxPayment ?? askAbove });
      throw errorForModel(new SvcError('INVALID_REQUEST', NOT_APPROVED));
    },
    approval: (input, options) => findApproval({ tools, name, needsApproval, askAbove }, input, options),
    async needsApproval(input, { toolCallId } = {}) {
      let limit = askAbove;
      try {
        const needed = await tool.approval(input);
        if (needed) limit = shownPrice(needed);
        return Boolean(needed);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        // A human must see the price first.
        if (error.code === 'PAYMENT_REQUIRED') limit = '0';
        // An invalid call stays invalid: the model gets the error when the call runs.
        return !REFUSED_BEFORE_RUN.has(error.code);
      } finally {
        if (limit !== undefined) rememberLimit({ name, toolCallId, input }, limit);
      }
    },
  };
  return tool;
}
