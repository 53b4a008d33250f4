/** What a handler's error frame means to the agent: ACTION_FAILED with the handler's own code, message and data as `cause`. */

import { z } from 'zod';
import { type ActionErrorCause, SvcError, type SvcErrorDetails } from '../../protocol/errors';
import type { FrameError } from '../../protocol/frames';

const handlerData = z.object({
  code: z.string().max(100).catch('FAILED'),
  message: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
  retryable: z.boolean().optional().catch(undefined),
  retryAfterMs: z.number().nonnegative().optional().catch(undefined),
});

export function handlerError({ message, data }: FrameError, invocationId: string): SvcError {
  const parsed = handlerData.safeParse(data);
  const said = parsed.success ? parsed.data : { code: 'FAILED' };
  const cause: ActionErrorCause = { code: said.code, message };
  const details: SvcErrorDetails = { cause, invocationId };
  if (parsed.success) {
    if (parsed.data.data !== undefined) cause.data = parsed.data.data;
    if (parsed.data.retryable !== undefined) details.retryable = parsed.data.retryable;
    if (parsed.data.retryAfterMs !== undefined) details.retryAfterMs = parsed.data.retryAfterMs;
  }
  return new SvcError('ACTION_FAILED', message, details);
}
