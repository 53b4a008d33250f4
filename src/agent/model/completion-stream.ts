/**
 * Reads a streamed chat completion.
 *
 * Shape:  as of a completion that is not streamed.
 * Errors: ModelRequestError for an error in the stream, and for a stream that ends early.
 */
import type { ByteStream } from 'svc-sdk';
import { limitStream } from '../../protocol/byte-stream';
import { readEvents } from '../../protocol/sse';
import { mergeDelta } from './merge-delta';
import { ModelRequestError } from './model-request-error';
import type { ModelServer } from './providers';
import { readErrorMember } from './refused-request';
import { objectMembers } from './unchecked-json';

interface StreamedCompletion {
  choices: [{ message: Record<string, unknown> }];
  usage: unknown;
}

interface Chunk {
  error?: unknown;
  choices?: { index?: number; delta?: Record<string, unknown>; finish_reason?: unknown }[];
  usage?: unknown;
}

export async function readCompletionStream(
  body: ByteStream,
  server: ModelServer,
  onText: (text: string) => void,
): Promise<StreamedCompletion> {
  const message: Record<string, unknown> = {};
  let usage: unknown;
  let isWhole = false;
  for await (const { data } of readEvents(limitStream(body))) {
    if (data.trim() === '[DONE]') {
      isWhole = true;
      break;
    }
    const chunk = parseChunk(data);
    if (chunk.error) throw readErrorMember(chunk.error, server);
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.find(({ index = 0 }) => index === 0);
    if (choice?.delta) mergeDelta(message, choice.delta);
    if (choice?.finish_reason) isWhole = true;
    if (typeof choice?.delta?.content === 'string' && choice.delta.content !== '') onText(String(message.content));
  }
  if (!isWhole) throw new ModelRequestError(`The answer of ${new URL(server.url).host} broke off`);
  if (Array.isArray(message.tool_calls)) message.tool_calls = message.tool_calls.map(({ index: _, ...call }) => call);
  return { choices: [{ message }], usage };
}

function parseChunk(data: string): Chunk {
  try {
    return objectMembers(JSON.parse(data));
  } catch {
    throw new ModelRequestError("The model's server sent a piece that is not JSON");
  }
}
