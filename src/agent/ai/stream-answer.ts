/** Reads a streamed answer of the AI SDK and reports the growing text. */

import { excerptOf } from '../model/excerpt';
import { toModelRequestError } from '../model/foreign-error';
import { ModelRequestError } from '../model/model-request-error';
import { isTooLong } from '../model/too-long';
import { objectMembers } from '../model/unchecked-json';
import type { AiSdk } from './load-ai';
import type { AiAnswer } from './stored-answer';

type StreamOptions = Parameters<AiSdk['streamText']>[0];

/** @throws ModelRequestError for an error after the answer has begun; an earlier error unchanged */
export async function streamAnswer(ai: AiSdk, options: StreamOptions, onText: (text: string) => void): Promise<AiAnswer> {
  // The AI SDK's default prints errors.
  const run = ai.streamText({ ...options, onError: () => {} });
  let text = '';
  let hasBegun = false;
  for await (const part of run.fullStream) {
    if (part.type === 'start-step') hasBegun = true;
    if (part.type === 'error') throw hasBegun ? toStreamError(part.error) : part.error;
    if (part.type !== 'text-delta') continue;
    text += part.text;
    onText(text);
  }
  const [whole, toolCalls, usage, response] = await Promise.all([run.text, run.toolCalls, run.usage, run.response]);
  return { text: whole, toolCalls, usage, response };
}

/** Providers report an overload in the stream without a status. AI SDK 5 and 6 pass on the provider's JSON. */
function toStreamError(error: unknown): ModelRequestError {
  const known = toModelRequestError(error);
  if (known) return known;
  const { message = error } = objectMembers(error);
  const said = typeof message === 'string' ? message : JSON.stringify(message);
  const tooLong = isTooLong(400, said);
  return new ModelRequestError(`The answer broke off: ${excerptOf(said)}`, { status: tooLong ? 400 : 502, isTooLong: tooLong });
}
