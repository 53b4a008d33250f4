/**
 * Turns a handler's error into its form on the wire: `{code: -32000, message, data: {code, message, data?, …}}`. No stack leaves the process.
 */
import { SvcError } from '../protocol/errors';
import { FRAME_ERRORS, type FrameError } from '../protocol/frames';
import { ActionError } from './action-error';

/**
 * `thrown` may be any value, even one whose text cannot be read. Only an `ActionError` can be retryable: the error of a request that the
 * handler sent says nothing about earlier effects of the handler.
 */
export function toFrameError(thrown: unknown): FrameError {
  const message = messageOf(thrown);
  return {
    code: FRAME_ERRORS.failed,
    message,
    data: { code: codeOf(thrown), message, ...(thrown instanceof ActionError && thrown.options) },
  };
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof ActionError) return thrown.code;
  // CONNECTION_REQUIRED of a request that the handler sent is about another toolkit. Here it would say that this call had no effect.
  return SvcError.is(thrown) && thrown.code !== 'CONNECTION_REQUIRED' ? thrown.code : 'HANDLER_THREW';
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message || thrown.name) : String(thrown);
  } catch {
    return 'The handler threw a value that has no text';
  }
}
