/** A tool of Strands. */
import {
  type JSONSchema,
  Tool,
  type ToolContext,
  ToolResultBlock,
  type ToolSpec,
  ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import { SvcError, type ToolAnswer } from 'svc-sdk';
import { type AgentTool, failedAnswer, withReports } from 'svc-sdk/agent-tool';
import { approveByInterrupt } from '../approval/strands';
import { toStrandsContent } from './content';

export class StrandsTool extends Tool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: ToolSpec;
  readonly #tool: AgentTool;

  constructor(tool: AgentTool) {
    super();
    const { name, description, parameters } = tool;
    this.name = name;
    this.description = description;
    this.toolSpec = { name, description, inputSchema: parameters as JSONSchema };
    this.#tool = tool;
  }

  /** Yields `{progress}`, and `{payment}` of a paid action. */
  async *stream(context: ToolContext): ToolStreamGenerator {
    const { toolUse, cancelSignal: signal } = context;
    const { toolUseId, input } = toolUse;
    const tool = this.#tool;
    const toResult = (answer: ToolAnswer) =>
      new ToolResultBlock({ toolUseId, status: answer.error ? 'error' : 'success', content: toStrandsContent(answer, tool.images) });
    try {
      const approved = await approveByInterrupt(tool, context);
      const reports = withReports((reporting) => tool.answer(input, { ...approved, signal, toolCallId: toolUseId, ...reporting }));
      let next = await reports.next();
      for (; !next.done; next = await reports.next()) yield new ToolStreamEvent({ data: next.value });
      return toResult(next.value);
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      return toResult(failedAnswer(error));
    }
  }
}
