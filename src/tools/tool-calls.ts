/**
 * From a model's tool calls to their messages: every call gets one, in order, whatever the model wrote.
 *
 * Errors: only what the caller did: its own abort, a throwing `onProgress`, something that is no list of tool calls (INVALID_REQUEST).
 */
import { SvcError } from '../protocol/errors';
import type { ChatCompletionToolCall, ChatCompletionToolMessage } from './chat-completions';
import { mapConcurrent } from './concurrency';
import { INVOKE_TOOL, SEARCH_TOOL } from './definitions';
import { isObject } from './json';
import { toErrorText, toModelText } from './model-text';

export interface ToolCallRunner {
  run(name: string, input: unknown, toolCallId: string): Promise<unknown>;
  concurrency: number;
  maxChars: number;
  signal?: AbortSignal | undefined;
}

export async function answerToolCalls(
  toolCalls: readonly ChatCompletionToolCall[] | null | undefined,
  runner: ToolCallRunner,
): Promise<ChatCompletionToolMessage[]> {
  const list: readonly unknown[] = toolCalls ?? [];
  if (!Array.isArray(list)) throw new SvcError('INVALID_REQUEST', 'callTools takes the list `message.tool_calls`, not the message');
  return mapConcurrent(list, runner.concurrency, async (toolCall) => {
    const toolCallId = isObject(toolCall) ? String(toolCall.id ?? '') : '';
    return { role: 'tool', tool_call_id: toolCallId, content: await answer(toolCall, toolCallId, runner) };
  });
}

async function answer(toolCall: unknown, toolCallId: string, { run, maxChars, signal }: ToolCallRunner): Promise<string> {
  signal?.throwIfAborted();
  try {
    const { name, input } = readToolCall(toolCall);
    return toModelText(await run(name, input, toolCallId));
  } catch (error) {
    signal?.throwIfAborted();
    if (!SvcError.is(error)) throw error;
    return toErrorText(error, maxChars);
  }
}

/** `type` is not looked at: some servers leave it out. */
function readToolCall(toolCall: unknown): { name: string; input: unknown } {
  const called = isObject(toolCall) ? toolCall.function : undefined;
  if (!isObject(called) || typeof called.name !== 'string') {
    throw new SvcError('UNKNOWN_TOOL', `Only calls of functions are answered here. Call ${SEARCH_TOOL} or ${INVOKE_TOOL} as a function.`);
  }
  return { name: called.name, input: called.arguments };
}
