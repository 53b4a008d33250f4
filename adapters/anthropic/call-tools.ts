/** The loop of your own around `messages.create`. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { type CallPayment, type CallToolsOptions, type Progress, SvcError } from 'svc-sdk';
import { failedAnswer } from 'svc-sdk/agent-tool';
import type { RunContext } from './tool';

/** Any tool that a tool runner runs. */
export interface RunnableTool {
  name: string;
  parse?(input: unknown): unknown;
  /** Returns the content of a `tool_result`. */
  run(input: unknown, context?: RunContext): unknown;
}

/** A tool that the API runs itself. */
export interface HostedTool {
  name: string;
  type: string;
  run?: never;
}

export interface ToolResult<Tool extends RunnableTool> {
  type: 'tool_result';
  tool_use_id: string;
  content: Content<Tool> | string;
  is_error?: true;
}

type Content<Tool extends RunnableTool> = Awaited<ReturnType<Tool['run']>>;

interface ToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: { type: string };
}

/**
 * Answers the `tool_use` blocks of a message: the content of the next user message, with one `tool_result` for each block, in order. A failure
 * is an answer too. Empty for a message without such blocks; tools that the API runs itself have other types of blocks, which need no answer.
 *
 * @param tools the tools that the model was given; also your own, if they have a `run` as a tool runner needs it
 * @param content `message.content`
 * @throws the reason of `signal`, once it is aborted
 */
export async function callTools<Tool extends RunnableTool | HostedTool>(
  tools: readonly Tool[],
  content: readonly { type: string }[],
  options: CallToolsOptions = {},
): Promise<ToolResult<Extract<Tool, RunnableTool>>[]> {
  if (!Array.isArray(tools) || !Array.isArray(content))
    throw new SvcError('INVALID_REQUEST', 'Write `callTools(tools, message.content)`, with tools that were awaited');
  return Promise.all(content.filter(isToolUse).map((toolUse, index) => answer(tools, toolUse, index, options)));
}

function isToolUse(block: { type: string }): block is ToolUse {
  return block.type === 'tool_use';
}

async function answer<Tool extends RunnableTool | HostedTool>(
  tools: readonly Tool[],
  toolUse: ToolUse,
  index: number,
  { signal, idempotencyKey, onProgress, onPayment }: CallToolsOptions,
): Promise<ToolResult<Extract<Tool, RunnableTool>>> {
  const { id, name, input } = toolUse;
  const result = { type: 'tool_result', tool_use_id: id } as const;
  try {
    signal?.throwIfAborted();
    const tool = tools.find((candidate): candidate is Extract<Tool, RunnableTool> => 'run' in candidate && candidate.name === name);
    if (!tool) throw toToolError(new SvcError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}; call one that you were given`));
    const context = {
      toolUse,
      toolUseBlock: toolUse,
      signal,
      idempotencyKey: idempotencyKey && `${idempotencyKey}/${index}`,
      onProgress: onProgress && ((progress: Progress) => onProgress(progress, id)),
      onPayment: onPayment && ((payment: CallPayment) => onPayment(payment, id)),
    };
    return {
      ...result,
      content: (await tool.run(tool.parse ? tool.parse(input) : input, context)) as Content<Extract<Tool, RunnableTool>>,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return {
      ...result,
      content: error instanceof ToolError ? (error.content as Content<Extract<Tool, RunnableTool>>) : String(error),
      is_error: true,
    };
  }
}

export function toToolError(error: SvcError): ToolError {
  return new ToolError(failedAnswer(error).content);
}
