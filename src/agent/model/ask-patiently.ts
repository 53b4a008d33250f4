/**
 * Sends a request to a model with two retries, then to the fallback model with two retries. After an answer with neither text nor calls, the
 * request is sent once more, without tools.
 *
 * Errors: ModelRequestError; the reason of the request's signal; any other error of the developer's function unchanged.
 */

import { equalJitterMs } from '../../protocol/backoff';
import { type Message, messageText } from '../chat/message';
import { pause, raced } from '../lib/races';
import type { AskModel, ModelRequest, TokenCount } from './ask-model';
import { toModelRequestError } from './foreign-error';
import { ModelRequestError } from './model-request-error';
import { objectMembers } from './unchecked-json';

const MAX_RETRIES = 2;
/** A longer wait that a server requires counts as a failure, because a person waits in the chat. */
const MAX_WAIT_MS = 20_000;
const BACKOFF = { firstMs: 1_000, longestMs: MAX_WAIT_MS };

export interface PatientRequest {
  ask: AskModel;
  request: ModelRequest;
  /** Id of the fallback model. */
  fallback?: string;
  onError: (error: Error, model: string, willRetry: boolean) => void;
  /** Called for every answer, also for an empty one. */
  onTokens: (model: string, tokens: TokenCount) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

interface CountedAnswer {
  message: Message;
  tokens: TokenCount;
}

export async function askPatiently(options: PatientRequest): Promise<CountedAnswer> {
  const first = await askWithFallback(options, options.request);
  if (!isEmpty(first.message)) return first;
  const error = new ModelRequestError('The model answered with neither text nor tool calls. Try another model with setModel or SVC_MODEL.');
  options.onError(error, options.request.model, true);
  const second = await askWithFallback(options, { ...options.request, tools: [] });
  if (isEmpty(second.message)) {
    options.onError(error, options.request.model, false);
    throw error;
  }
  const tokens = { input: first.tokens.input + second.tokens.input, output: first.tokens.output + second.tokens.output };
  return { message: second.message, tokens };
}

async function askWithFallback(options: PatientRequest, request: ModelRequest): Promise<CountedAnswer> {
  const { fallback } = options;
  const hasFallback = fallback !== undefined && fallback !== request.model;
  try {
    return await askWithRetries(options, request, hasFallback);
  } catch (error) {
    if (!hasFallback || !(error instanceof ModelRequestError && error.isRetryable)) throw error;
    return await askWithRetries(options, { ...request, model: fallback }, false);
  }
}

async function askWithRetries(options: PatientRequest, request: ModelRequest, hasFallback: boolean): Promise<CountedAnswer> {
  const { ask, onError, onTokens, wait = pause } = options;
  const { model, signal } = request;
  for (let retries = 0; ; retries++) {
    try {
      signal.throwIfAborted();
      // The developer's function may ignore the signal, and may throw synchronously.
      const answer = readModelAnswer(await raced((async () => ask(request))(), signal));
      onTokens(model, answer.tokens);
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toModelRequestError(thrown) ?? thrown;
      const isRetryable = error instanceof ModelRequestError && error.isRetryable;
      const waitMs = (isRetryable && error.retryAfterMs) || equalJitterMs(retries + 1, BACKOFF);
      const willRetry = isRetryable && retries < MAX_RETRIES && waitMs <= MAX_WAIT_MS;
      onError(error instanceof Error ? error : new Error(String(error)), model, willRetry || (isRetryable && hasFallback));
      if (!willRetry) throw error;
      await wait(waitMs, signal);
    }
  }
}

function readModelAnswer(answer: unknown): CountedAnswer {
  const whole = objectMembers(answer);
  const isAlone = 'role' in whole;
  const message = isAlone ? whole : whole.message;
  if (objectMembers(message).role !== 'assistant')
    // Status 400, so that the agent does not retry: the function would return the same again.
    throw new ModelRequestError(
      `The model function must return a message {role: 'assistant', content, tool_calls}, or {message, tokens: {input, output}}, not ${typeof answer}`,
      { status: 400 },
    );
  const { input, output } = objectMembers(isAlone ? undefined : whole.tokens);
  return { message: message as Message, tokens: { input: Number(input) || 0, output: Number(output) || 0 } };
}

/** White space counts as empty, since platforms refuse it. */
function isEmpty(message: Message): boolean {
  const calls = message.tool_calls;
  return !(Array.isArray(calls) && calls.length > 0) && messageText(message).trim() === '';
}
