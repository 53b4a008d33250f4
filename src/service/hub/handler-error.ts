/** What a handler's error frame means to the agent: ACTION_FAILED with the handler's own code, message and data as `cause`. */

import * as z from 'zod';
import { type ActionErrorCause, SvcError, type SvcErrorDetails } from '../../protocol/errors';
import type { FrameError } from '../../protocol/frames';

/** Models read it. */
const MAX_MESSAGE_CHARS = 2_000;

const handlerData = z.object({
  code: z.string().max(100).catch('FAILED'),
  message: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
  retryable: z.boolean().optional().catch(undefined),
  retryAfterMs: z.number().nonnegative().optional().catch(undefined),
});

/** @param maxDataBytes what is larger is left out, and the message says so: an error must not get past the limit of a result */
export function handlerError({ message: said, data }: FrameError, invocationId: string, maxDataBytes: number): SvcError {
  const parsed = handlerData.safeParse(data);
  const bytes = parsed.success ? jsonBytes(parsed.data.data) : 0;
  const leftOut = bytes > maxDataBytes ? ' (its data was too large and is left out)' : '';
  const message = said.slice(0, MAX_MESSAGE_CHARS) + leftOut;
  const cause: ActionErrorCause = { code: parsed.success ? parsed.data.code : 'FAILED', message };
  const details: SvcErrorDetails = { cause, invocationId };
  if (parsed.success) {
    if (parsed.data.data !== undefined && leftOut === '') cause.data = parsed.data.data;
    if (parsed.data.retryable !== undefined) details.retryable = parsed.data.retryable;
    if (parsed.data.retryAfterMs !== undefined) details.retryAfterMs = parsed.data.retryAfterMs;
  }
  return new SvcError('ACTION_FAILED', message, details);
}

function jsonBytes(data: unknown): number {
  try {
    return data === undefined ? 0 : Buffer.byteLength(JSON.stringify(data));
  } catch {
    // Nested too deep to be written.
    return Number.POSITIVE_INFINITY;
  }
}
