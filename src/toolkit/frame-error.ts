/**
 * Turns a handler's error into its form on the wire: `{code: -32000, message, data: {code, message, data?, …}}`. No stack leaves the process.
 */
import { SvcError } from '../protocol/errors';
import { FRAME_ERRORS, type FrameError } from '../protocol/frames';
import { ActionError, type ActionErrorOptions } from './action-error';

/** It may be anything, also a value whose own text cannot be had. */
export function toFrameError(thrown: unknown): FrameError {
  const message = messageOf(thrown);
  return { code: FRAME_ERRORS.failed, message, data: { code: codeOf(thrown), message, ...optionsOf(thrown) } };
}

function codeOf(thrown: unknown): string {
  return thrown instanceof ActionError || SvcError.is(thrown) ? thrown.code : 'HANDLER_THREW';
}

function optionsOf(thrown: unknown): ActionErrorOptions {
  if (thrown instanceof ActionError) return thrown.options;
  // The handler called an action itself: whether a retry helps is known.
  return SvcError.is(thrown) ? { retryable: thrown.retryable } : {};
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message || thrown.name) : String(thrown);
  } catch {
    return 'The handler threw a value that has no text';
  }
}
