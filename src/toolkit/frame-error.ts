/**
 * Turns a handler's error into its form on the wire: `{code: -32000, message, data: {code, message, data?, …}}`. No stack leaves the process.
 */
import { SvcError } from '../protocol/errors';
import { FRAME_ERRORS, type FrameError } from '../protocol/frames';
import { ActionError } from './action-error';

/**
 * It may be anything, also a value whose own text cannot be had. Only an `ActionError` can be retryable: the error of a call that the handler made
 * says nothing about the effects that the handler had before.
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
  return thrown instanceof ActionError || SvcError.is(thrown) ? thrown.code : 'HANDLER_THREW';
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message || thrown.name) : String(thrown);
  } catch {
    return 'The handler threw a value that has no text';
  }
}
