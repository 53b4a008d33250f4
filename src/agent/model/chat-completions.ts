/**
 * Sends a request to a model through OpenAI chat completions, which most servers support: `POST <base>/chat/completions`.
 *
 * Errors: ModelRequestError, or the reason of the request's signal. No error contains the key.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
import type { FetchLike, FetchResponse } from 'svc-sdk';
import { AnswerTooLarge, readBodyText } from '../../protocol/byte-stream';
import type { AskModel, ModelAnswer, ModelRequest } from './ask-model';
import { readCompletionStream } from './completion-stream';
import { ModelRequestError } from './model-request-error';
import { findModelServer, type ModelServer } from './providers';
import { readErrorMember, readRefusal } from './refused-request';
import { toSentMessage, toStoredMessage } from './sent-message';
import { MODEL_TIMEOUT_MS, withTimeLimit } from './time-limit';
import { objectMembers } from './unchecked-json';

export interface ChatCompletionsOptions {
  /** Default: `process.env`, read at each request. */
  env?: NodeJS.ProcessEnv;
  fetch?: FetchLike;
  timeoutMs?: number;
}

export function chatCompletionsModel(options: ChatCompletionsOptions = {}): AskModel {
  const { env = process.env, fetch = globalThis.fetch, timeoutMs = MODEL_TIMEOUT_MS } = options;
  return async (request) => {
    const server = findModelServer(request.model, env);
    return await withTimeLimit(request.signal, timeoutMs, async (signal) => {
      const response = await send(fetch, server, request, signal);
      if (response.status !== 200) throw await readRefusal(response, server);
      return readAnswer(await readCompletion(response, server, request.onText), server, request.model);
    });
  };
}

async function send(fetch: FetchLike, server: ModelServer, request: ModelRequest, signal: AbortSignal): Promise<FetchResponse> {
  const { messages, tools, onText } = request;
  const body = {
    model: server.model,
    messages: messages.map((message) => toSentMessage(message, request.model)),
    ...(tools.length > 0 && { tools }),
    ...(onText && { stream: true, ...(server.takesStreamOptions && { stream_options: { include_usage: true } }) }),
  };
  const headers = { 'content-type': 'application/json', ...(server.key && { authorization: `Bearer ${server.key}` }) };
  try {
    return await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual', signal });
  } catch (error) {
    throw unanswered(server, error);
  }
}

interface Completion {
  error?: unknown;
  choices?: { message?: unknown }[];
  usage?: unknown;
}

async function readCompletion(
  response: FetchResponse,
  server: ModelServer,
  onText: ((text: string) => void) | undefined,
): Promise<Completion> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  try {
    if (isStream && response.body) return await readCompletionStream(response.body, server, onText ?? (() => {}));
    const completion: Completion = objectMembers(JSON.parse(await readBodyText(response)));
    const content = objectMembers(objectMembers(completion.choices?.[0]).message).content;
    // Some servers do not stream.
    if (onText && typeof content === 'string') onText(content);
    return completion;
  } catch (error) {
    if (error instanceof ModelRequestError) throw error;
    if (error instanceof AnswerTooLarge)
      throw new ModelRequestError(`${new URL(server.url).host} sent too much: ${error.message}`, { status: 502 });
    if (error instanceof SyntaxError)
      throw new ModelRequestError(`${new URL(server.url).host} answered with text that is not JSON. Check the address.`, { status: 502 });
    throw unanswered(server, error);
  }
}

function readAnswer({ error, choices, usage }: Completion, server: ModelServer, model: string): ModelAnswer {
  const message = Array.isArray(choices) ? choices[0]?.message : undefined;
  if (error && !message) throw readErrorMember(error, server);
  if (typeof message !== 'object' || message === null)
    throw new ModelRequestError(`${new URL(server.url).host} answered without a message. Check that it supports chat completions.`, {
      status: 502,
    });
  const { prompt_tokens: input, completion_tokens: output } = objectMembers(usage);
  return { message: toStoredMessage({ ...message }, model), tokens: { input: countOf(input), output: countOf(output) } };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}

/** The error has no `cause`: an error of another fetch may hold the request with the key. */
function unanswered(server: ModelServer, error: unknown): ModelRequestError {
  const { code } = objectMembers(objectMembers(error).cause ?? error);
  return new ModelRequestError(`No answer from ${new URL(server.url).host}${typeof code === 'string' ? `: ${code}` : ''}`);
}
