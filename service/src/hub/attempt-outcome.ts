/**
 * Turns a toolkit's answer to `invoke` into the outcome of the attempt. A handler's error becomes ACTION_FAILED with the error as `cause`, but
 * CONNECTION_REQUIRED stays what it is.
 */
import * as z from 'zod';
import { type ActionErrorCause, SvcError, type SvcErrorDetails } from '#sdk/protocol/errors';
import { FRAME_ERRORS, type FrameError } from '#sdk/protocol/frames';
import { readableJson, readableText } from '#sdk/protocol/invisible-text';
import type { AnsweredResult, AttemptOutcome, ResultText } from './attempt';
import { handlerFailure } from './parse-frame';

/** Limit of error messages and progress messages, which models read. */
export const MAX_REPORTED_CHARS = 2_000;

const handlerData = z.object({
  code: z.string().max(100).catch('FAILED'),
  message: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
  retryable: z.boolean().optional().catch(undefined),
  retryAfterMs: z.number().nonnegative().optional().catch(undefined),
});

/**
 * A result whose content is too large becomes a failure. The charge is read later.
 *
 * @param maxBytes limit of a result with content, and of an error's data
 */
export function attemptOutcome(
  answer: AnsweredResult | { error: FrameError },
  invocationId: string,
  maxBytes: number,
): AnsweredResult | Exclude<AttemptOutcome, ResultText> {
  const error = 'error' in answer ? answer.error : oversizedContent(answer, maxBytes);
  if (!error) return answer as AnsweredResult;
  if (error.code === FRAME_ERRORS.outcomeUnknown) return { gone: 'lost' };
  return { error: connectionRequired(error, invocationId) ?? actionFailed(error, invocationId, maxBytes) };
}

/** A result with content above the limit is a failure: unlike a text, an image cannot be cut. */
function oversizedContent({ resultJson, contentJson }: AnsweredResult, maxBytes: number): FrameError | undefined {
  if (contentJson === undefined) return undefined;
  const bytes = Buffer.byteLength(resultJson) + Buffer.byteLength(contentJson);
  if (bytes <= maxBytes) return undefined;
  const message =
    `The result has ${bytes} bytes with its images and files, and ${maxBytes} are the limit (resultBytes). The action has run. ` +
    'Ask for a smaller image or a part; its developer can send less, or a link (ctx.link) to the whole';
  return handlerFailure('RESULT_TOO_LARGE', message);
}

/** The handler could not use the account of the call, and did nothing. */
function connectionRequired({ message, data }: FrameError, invocationId: string): SvcError | undefined {
  const parsed = handlerData.safeParse(data);
  if (!parsed.success || parsed.data.code !== 'CONNECTION_REQUIRED') return undefined;
  return new SvcError('CONNECTION_REQUIRED', readableText(message.slice(0, MAX_REPORTED_CHARS)), { invocationId });
}

/** Data above `maxDataBytes` is left out, which the message says: an error must not exceed the limit of a result. */
function actionFailed(error: FrameError, invocationId: string, maxDataBytes: number): SvcError {
  const parsed = handlerData.safeParse(error.data);
  const sent = parsed.success ? parsed.data.data : undefined;
  const data = sent === undefined ? undefined : readableData(sent, maxDataBytes);
  const leftOut = sent !== undefined && data === undefined ? ' (its data was too large and is left out)' : '';
  const message = readableText(error.message.slice(0, MAX_REPORTED_CHARS)) + leftOut;
  const cause: ActionErrorCause = { code: (parsed.success && readableText(parsed.data.code)) || 'FAILED', message };
  const details: SvcErrorDetails = { cause, invocationId };
  if (data !== undefined) cause.data = data;
  if (parsed.success) {
    if (parsed.data.retryable !== undefined) details.retryable = parsed.data.retryable;
    if (parsed.data.retryAfterMs !== undefined) details.retryAfterMs = parsed.data.retryAfterMs;
  }
  return new SvcError('ACTION_FAILED', message, details);
}

/** The data without invisible characters; undefined when too large or nested too deep to serialise. */
function readableData(data: unknown, maxBytes: number): unknown {
  try {
    const json = JSON.stringify(data);
    return Buffer.byteLength(json) <= maxBytes ? readableJson(data, json) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
