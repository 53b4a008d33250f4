/** One tool of a model in no framework's words. */
import { type CallToolOptions, SvcError, type ToolAnswer, type ToolDefinition } from 'svc-sdk';
import { type ApprovalRules, type ApprovedCall, type Decision, decide, holding, NOT_APPROVED } from './approval';
import { errorForModel, withMedia } from './model-answer';
import type { ToolsLike } from './options';
import { type ProgramRules, type ProgramTool, programTool, withResultType } from './programs';

/** How often a call is made again, because its action has changed on the way. */
const MAX_CHANGES = 2;

/** The rules are those of the tool. */
export type AgentCallOptions = Omit<CallToolOptions, 'ask' | 'isApproved'> & ApprovedCall;

export interface AgentTool extends ToolDefinition {
  /** Whether images of results may be sent to the model; from the options. */
  readonly images: boolean;
  /** Present if a program of the model's provider may call the tool too; with `programmatic` in the options. */
  readonly program?: ProgramTool;
  /**
   * Answers a call. A failure is an answer too. A call that needs approval runs only with `approved`, and only if a human was asked about exactly this
   * call: else the answer is APPROVAL_REQUIRED.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  answer(input: unknown, options?: AgentCallOptions): Promise<ToolAnswer>;
  /**
   * The value of the answer. A failure throws an error whose message is JSON for the model. With `images`, the value holds what the model can
   * look at: `splitMedia` separates the two.
   *
   * @throws SvcError; the reason of `signal`
   */
  call(input: unknown, options?: AgentCallOptions): Promise<unknown>;
  /**
   * Like `call`, for a call that the framework runs in a way that may leave out its question. It is decided about first, so that it does not run at a
   * service before 0.14 either.
   *
   * @throws as `call`
   */
  callUnapproved(input: unknown, options?: AgentCallOptions): Promise<unknown>;
  /**
   * Decides whether a human has to approve a call before it runs, and makes the question. Pass `callOptions` to the call that the human has
   * approved.
   *
   * @throws SvcError when the service does not answer; the reason of `signal`
   */
  decide(input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<Decision>;
  /** A check for frameworks that ask before a call and accept no error there. In doubt the answer is true. */
  needsApproval(input: unknown): Promise<boolean>;
}

interface Rules extends ProgramRules {
  images: boolean | undefined;
}

/** `agentTool` with the type of its result for programs. */
export async function loadAgentTool(tools: ToolsLike, definition: ToolDefinition, rules: Rules): Promise<AgentTool> {
  const tool = agentTool(tools, definition, rules);
  return tool.program ? { ...tool, program: await withResultType(definition, tool.program) } : tool;
}

export function agentTool(tools: ToolsLike, definition: ToolDefinition, agentRules: Rules): AgentTool {
  const { needsApproval, askAbove, images = false } = agentRules;
  const program = programTool(definition, agentRules);
  const rules: ApprovalRules = { tools, name: definition.name, needsApproval, askAbove };
  const tool: AgentTool = {
    ...definition,
    images,
    ...(program && { program }),
    answer: (input, options) => answer(rules, input, options),
    async call(input, options) {
      const answered = await answer(rules, input, options);
      if (answered.error) throw errorForModel(answered.error, answered);
      return images ? withMedia(answered) : answered.value;
    },
    async callUnapproved(input, options) {
      const { needed } = await tool.decide(input, options).catch((error: unknown) => {
        throw SvcError.is(error) ? errorForModel(error) : error;
      });
      if (needed) throw errorForModel(new SvcError('INVALID_REQUEST', NOT_APPROVED));
      return tool.call(input, options);
    },
    decide: (input, options) => decide(rules, input, options),
    async needsApproval(input) {
      try {
        return (await tool.decide(input)).needed !== undefined;
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        return true;
      }
    },
  };
  return tool;
}

async function answer(
  rules: ApprovalRules,
  input: unknown,
  { approved, actionVersion, ...options }: AgentCallOptions = {},
): Promise<ToolAnswer> {
  let seen = actionVersion === undefined ? {} : { actionVersion };
  for (let changes = 0; ; changes++) {
    const held = await holding(rules, input, { ...options, approved });
    const isApproved = ({ isNew }: { isNew?: true }) => !isNew || 'actionVersion' in seen;
    const answered = await rules.tools.answerTool(rules.name, input, { ...options, ...held, ...seen, ...(approved && { isApproved }) });
    if (answered.error?.code !== 'ACTION_CHANGED' || !held.ask || changes === MAX_CHANGES) return answered;
    // The service checks the call again with the action of now. An approval of the former one does not cover it.
    seen = {};
  }
}
