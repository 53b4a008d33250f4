/** One tool of a model in no framework's words. */
import { type CallToolOptions, SvcError, type ToolAnswer, type ToolDefinition } from 'svc-sdk';
import { type Decision, decide, NOT_APPROVED } from './approval';
import { narrowed, rememberDecision, takeDecision } from './decisions';
import { errorForModel, withMedia } from './model-answer';
import type { NeedsApproval, ToolsLike } from './options';

/** How often a call is decided about again, because its action has changed in between. */
const MAX_DECISIONS_ANEW = 2;

export interface AgentTool extends ToolDefinition {
  /** Whether images of results may be sent to the model; from the options. */
  readonly images: boolean;
  /** The price up to which a call needs no approval; from the options. */
  readonly askAbove: string | undefined;
  /**
   * Answers a call. A failure is an answer too. If the action has changed since the decision, it decides anew: the call runs if it still needs no
   * approval, else the answer is ACTION_CHANGED.
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
   * Decides whether a human has to approve a call before it runs. Pass `callOptions` to the call that follows, also without a question: else it
   * may run another action than the one that was decided about.
   *
   * @throws SvcError when the service does not answer; the reason of `signal`
   */
  decide(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<Decision>;
  /**
   * A check for frameworks that ask before a call and accept no error there. In doubt the answer is true. The same call then runs only the action
   * of this check, for at most its price, if it runs in this process.
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
  const rules = { tools, name, needsApproval, askAbove };
  const answer: AgentTool['answer'] = async (input, options = {}) => {
    const { toolCallId, signal } = options;
    let limits = narrowed(options, takeDecision({ name, toolCallId, input }));
    for (let decidedAnew = 0; ; decidedAnew++) {
      const answered = await tools.answerTool(name, input, { ...options, ...limits });
      if (answered.error?.code !== 'ACTION_CHANGED' || decidedAnew === MAX_DECISIONS_ANEW) return answered;
      const decision = await decide(rules, input, { signal }).catch((error: unknown) => {
        if (!SvcError.is(error)) throw error;
      });
      // A decision without a version is the caller's own.
      if (!decision || decision.needed || decision.callOptions.actionVersion === undefined) return answered;
      limits = narrowed(decision.callOptions, { maxPayment: limits.maxPayment });
    }
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
      const { needed, callOptions } = await tool.decide(input, options).catch((error: unknown) => {
        throw SvcError.is(error) ? errorForModel(error) : error;
      });
      if (!needed) return tool.call(input, { ...options, ...narrowed(callOptions, { maxPayment: options?.maxPayment }) });
      throw errorForModel(new SvcError('INVALID_REQUEST', NOT_APPROVED));
    },
    decide: (input, options) => decide(rules, input, options),
    async needsApproval(input, { toolCallId } = {}) {
      let limits: Decision['callOptions'] = { maxPayment: askAbove };
      try {
        const { needed, callOptions } = await tool.decide(input);
        limits = callOptions;
        return Boolean(needed);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        return true;
      } finally {
        if (limits.maxPayment !== undefined || limits.actionVersion !== undefined) rememberDecision({ name, toolCallId, input }, limits);
      }
    },
  };
  return tool;
}
