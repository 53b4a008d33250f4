/**
 * Turns a model's tool calls into their messages: one for each call, in order. A malformed call gets an error message.
 *
 * Errors: the caller's abort, a throwing `onProgress`, and INVALID_REQUEST for a value that is not a list of tool calls.
 */
import { SvcError } from '../protocol/errors';
import { isObject } from '../protocol/json-object';
import { PROGRAM } from '../protocol/program-calls';
import type { ChatCompletionToolCall, ChatCompletionToolMessage } from './chat-completions';
import { mapConcurrent } from './concurrency';

type Maker = Pick<ChatCompletionToolCall, 'madeBy'>;

export interface ToolCallRunner {
  answer(name: string, input: unknown, toolCallId: string, call: { index: number } & Maker): Promise<{ content: string }>;
  concurrency: number;
}

export async function answerToolCalls(
  toolCalls: readonly ChatCompletionToolCall[] | null | undefined,
  { answer, concurrency }: ToolCallRunner,
): Promise<ChatCompletionToolMessage[]> {
  const list: readonly unknown[] = toolCalls ?? [];
  if (!Array.isArray(list)) throw new SvcError('INVALID_REQUEST', 'callTools takes the list `message.tool_calls`, not the message');
  return mapConcurrent(list, concurrency, async (toolCall, index) => {
    const { id, name, input, madeBy } = readToolCall(toolCall);
    return { role: 'tool', tool_call_id: id, content: (await answer(name, input, id, { index, madeBy })).content };
  });
}

/** A call of another type than `function` gets its type as name, which no tool has. Some servers leave `type` out. */
function readToolCall(toolCall: unknown): { id: string; name: string; input: unknown } & Maker {
  const { id, type, function: called, madeBy } = isObject(toolCall) ? toolCall : {};
  const { name, arguments: input } = isObject(called) ? called : {};
  return { id: String(id ?? ''), name: String(name ?? type ?? ''), input, ...(madeBy === PROGRAM && { madeBy }) };
}
