/** What is answered: chat completions, whole or as the data of server-sent events. */
import { randomInt } from 'node:crypto';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionRequest } from './request.ts';

/** What the model says next: a text, or its wish to call tools. */
export type Speech = { content: string } | { calls: { name: string; arguments: Record<string, unknown> }[] };

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
type Choice = ChatCompletion.Choice;

export const MODEL = 'scripted-model';

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
    usage: countTokens(request, message),
  };
}

/** The same completion in pieces. With `include_usage` every piece has a `usage`, which is null until the last. */
export function* toChunks({ choices: [choice], usage, ...head }: ChatCompletion, includeUsage: boolean): Generator<ChatCompletionChunk> {
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

/** Cuts before spaces and inside JSON strings alike, as tokens do. */
function pieces(text: string): string[] {
  return text.match(/\s?\S{1,6}|\s/g) ?? [];
}

function toToolCall({ name, arguments: input }: { name: string; arguments: Record<string, unknown> }): ToolCall {
  return { id: `call_${randomText(24)}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A script has no tokens; a quarter of the characters is what English comes to. */
function countTokens(request: CompletionRequest, message: Choice['message']): NonNullable<ChatCompletion['usage']> {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value ?? '').length / 4);
  const prompt_tokens = tokens(request.messages) + tokens(request.tools);
  const completion_tokens = tokens(message.content ?? message.tool_calls);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
