/** Models of the AI SDK with scripted answers, and requests for them. */
import type { LanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import type { Message } from '../../../src/agent/chat/message';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
export type Content = Generated['content'][number];
export type StreamPart = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

const USAGE = {
  inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
};
const FINISH = { unified: 'stop' as const, raw: 'stop' };

export const TOOL = {
  type: 'function' as const,
  function: { name: 'invoke_service', description: 'Runs an action', parameters: { type: 'object', properties: {} } },
};

interface Named {
  provider?: string;
  modelId?: string;
}

/** Answers each request with the same content. */
export function answering(content: Content[], { warnings = [], ...named }: Named & Partial<Generated> = {}): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    ...named,
    doGenerate: async () => ({ content, finishReason: FINISH, usage: USAGE, warnings }),
  });
}

export function failing(error: unknown): MockLanguageModelV4 {
  const fail = () => Promise.reject(error);
  return new MockLanguageModelV4({ doGenerate: fail, doStream: fail });
}

/** Streams these parts, then `finish`, unless an error has ended the stream. */
export function streaming(parts: StreamPart[], { warnings = [], ...named }: Named & Partial<Generated> = {}): MockLanguageModelV4 {
  const begin: StreamPart = { type: 'stream-start', warnings };
  const end: StreamPart[] = parts.some(({ type }) => type === 'error') ? [] : [{ type: 'finish', finishReason: FINISH, usage: USAGE }];
  return new MockLanguageModelV4({ ...named, doStream: async () => ({ stream: convertArrayToReadableStream([begin, ...parts, ...end]) }) });
}

/** The newest request to a model. */
export function asked(model: LanguageModel) {
  const { doGenerateCalls, doStreamCalls } = model as MockLanguageModelV4;
  const call = [...doGenerateCalls, ...doStreamCalls].at(-1);
  if (!call) throw new Error('The model was not asked');
  return call;
}

/** A message after `save` and the next start. */
export function stored(answer: unknown): Message {
  return JSON.parse(JSON.stringify((answer as { message: Message }).message));
}
