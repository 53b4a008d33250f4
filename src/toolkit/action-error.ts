/**
 * A failure of an action as its handler tells it, and its form on the wire: `{code: -32000, message, data: {code, message, data?, …}}`.
 * Agents see it as ACTION_FAILED with that code and message as `cause`; no stack leaves the process.
 */
import { SvcError } from '../protocol/errors';
import { FRAME_ERRORS, type FrameError } from '../protocol/frames';

export interface ActionErrorOptions {
  /** What helps to do better; any JSON. */
  data?: unknown;
  /** True when the same call may succeed later. */
  retryable?: boolean | undefined;
  /** Wait at least this long before a retry, in milliseconds. */
  retryAfterMs?: number | undefined;
}

export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly code: string;
  readonly options: ActionErrorOptions;

  constructor(code: string, message: string, options: ActionErrorOptions = {}) {
    super(message);
    this.code = code;
    this.options = options;
  }
}

/** What a handler threw may be anything, also a value whose own text cannot be had. */
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
