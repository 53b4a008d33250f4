/** One tool of a model in no framework's words. */
import { type CallToolOptions, type ResolveResponse, SvcError, type ToolAnswer, type ToolDefinition } from 'svc-sdk';
import { findApproval, NOT_APPROVED, REFUSED_BEFORE_RUN } from './approval';
import { errorForModel, withMedia } from './model-answer';
import type { NeedsApproval, ToolsLike } from './options';

export interface AgentTool extends ToolDefinition {
  /** Whether images of results may go to the model; from the options. */
  readonly images: boolean;
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
   * The call that a human has to approve before it runs; undefined if the call needs no approval.
   *
   * @throws SvcError when the call is invalid, or the service cannot be asked
   */
  approval(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<ResolveResponse | undefined>;
  /** A check for frameworks that ask before a call and accept no error there. In doubt the answer is true. */
  needsApproval(input: unknown): Promise<boolean>;
}

interface Rules {
  needsApproval: NeedsApproval | undefined;
  images: boolean | undefined;
}

export function agentTool(tools: ToolsLike, definition: ToolDefinition, { needsApproval, images = false }: Rules): AgentTool {
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
      throw errorForModel(new SvcError('INVALID_REQUEST', NOT_APPROVED));
    },
    approval: (input, options) => findApproval({ tools, name, needsApproval }, input, options),
    needsApproval: (input) =>
      tool.approval(input).then(Boolean, (error: unknown) => {
        if (!SvcError.is(error)) throw error;
        // An invalid call stays invalid: the model gets the error when the call runs.
        return !REFUSED_BEFORE_RUN.has(error.code);
      }),
  };
  return tool;
}
