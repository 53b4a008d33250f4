/** The answer: chat completions, whole or as the data of server-sent events. */
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { argumentsText, countTokens, MODEL, pieces, randomText, type Speech, type SpokenCall } from '../speech.ts';
import type { CompletionRequest } from './request.ts';

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
type Choice = ChatCompletion.Choice;

export function toCompletion(request: CompletionRequest, speech: Speech): ChatCompletion {
  const calls = 'calls' in speech ? speech.calls.map(toToolCall) : undefined;
  const message: Choice['message'] = {
    role: 'assistant',
    content: 'content' in speech ? speech.content : null,
    refusal: null,
    ...(calls && { tool_calls: calls }),
  };
  const finish_reason = calls ? 'tool_calls' : 'stop';
  return {
    id: `chatcmpl-${randomText(24)}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: MODEL,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(request, message),
  };
}

/** The same completion in pieces. With `include_usage` every piece has a `usage`, which is null until the last. */
export function* toCompletionChunks(
  { choices: [choice], usage, ...head }: ChatCompletion,
  includeUsage: boolean,
): Generator<ChatCompletionChunk> {
  const shared = { ...head, object: 'chat.completion.chunk' as const, ...(includeUsage && { usage: null }) };
  for (const [delta, finish_reason] of toDeltas(choice as Choice)) {
    yield { ...shared, choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
  }
  if (includeUsage && usage) yield { ...shared, choices: [], usage };
}

type Delta = [ChatCompletionChunk.Choice.Delta, Choice['finish_reason'] | null];

function* toDeltas({ message, finish_reason }: Choice): Generator<Delta> {
  yield [{ role: 'assistant', content: message.content === null ? null : '', refusal: null }, null];
  for (const content of pieces(message.content ?? '')) yield [{ content }, null];
  for (const [index, call] of ((message.tool_calls ?? []) as ToolCall[]).entries()) {
    yield [{ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }, null];
    for (const part of pieces(call.function.arguments)) yield [{ tool_calls: [{ index, function: { arguments: part } }] }, null];
  }
  yield [{}, finish_reason];
}

function toToolCall(call: SpokenCall): ToolCall {
  return {
    id: call.id ?? `call_${randomText(24)}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  };
}

function usageOf(request: CompletionRequest, message: Choice['message']): NonNullable<ChatCompletion['usage']> {
  const prompt_tokens = countTokens(request.messages) + countTokens(request.tools);
  const completion_tokens = countTokens(message.content ?? message.tool_calls);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
