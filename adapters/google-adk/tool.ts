/** A tool of ADK. */
import { BaseTool, type Context, type RunAsyncToolRequest } from '@google/adk';
import { SvcError, type ToolAnswer } from 'svc-sdk';
import { type AgentTool, type CallsOptions, failedAnswer } from 'svc-sdk/agent-tool';
import { approveByConfirmation, questionOf } from '../approval/google-adk';

type Declaration = ReturnType<BaseTool['_getDeclaration']>;

export class AdkTool extends BaseTool {
  readonly #tool: AgentTool;
  readonly #calls: Pick<CallsOptions, 'onPayment'>;

  constructor(tool: AgentTool, calls: Pick<CallsOptions, 'onPayment'> = {}) {
    super({ name: tool.name, description: tool.description });
    this.#tool = tool;
    this.#calls = calls;
  }

  override _getDeclaration(): Declaration {
    const { name, description, parameters } = this.#tool;
    return { name, description, parametersJsonSchema: parameters };
  }

  /** ADK asks before it hands an answer on: only the call of a question takes one. */
  override async checkRequireConfirmation(_args: Record<string, unknown>, context?: Context): Promise<boolean> {
    return context !== undefined && questionOf(context) !== undefined;
  }

  /** The names of the Gemini API: `output`, and `error` for a failure. */
  override async runAsync({ args, toolContext }: RunAsyncToolRequest): Promise<Record<string, unknown>> {
    const { abortSignal: signal, functionCallId: toolCallId } = toolContext;
    try {
      const approved = await approveByConfirmation(this.#tool, args, toolContext);
      if ('refused' in approved) return { error: approved.refused };
      return toResponse(await this.#tool.answer(args, { ...approved, signal, toolCallId, ...this.#calls }));
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      return toResponse(failedAnswer(error));
    }
  }
}

function toResponse({ value, error }: ToolAnswer): Record<string, unknown> {
  return error ? (value as Record<string, unknown>) : { output: value };
}
