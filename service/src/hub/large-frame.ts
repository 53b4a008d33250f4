/**
 * Checks a frame above 64 Ki characters before it is parsed: parsing 8 MB of small objects takes a second.
 *
 * Errors: throws `BadFrame` for a frame that no method allows.
 */
import { SvcError } from '#sdk/protocol/errors';
import { FRAME_ERRORS, type FrameError, METHODS } from '#sdk/protocol/frames';
import { MAX_JSON_DEPTH } from '#sdk/protocol/json-depth';
import { readFrameHead } from './frame-head';
import { BadFrame, handlerFailure, type IncomingFrame } from './parse-frame';

export const LARGE_FRAME_CHARS = 64 * 1024;
/** Limit of the texts in one frame; a longer list is sent in several frames. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** A registration is longer than its texts by escapes and the list of unfinished invocations. */
const REGISTRATION_SHARE = 1.5;
/** Fewest characters of text per value in a registration; real schemas have twice as many. */
const CHARS_PER_VALUE = 16;

export interface LargeFrameRules {
  /** Whether the instance runs the invocation. */
  isAwaited: (invocationId: string) => boolean;
  toolkitTextBytes: number;
}

/** Parse the frame, ignore it, handle `frame` instead, or answer with `error`. */
export type LargeFrameFate = 'parse' | 'ignore' | { frame: IncomingFrame } | { id: string | number; error: FrameError };

/** Most bytes of a `register` frame: UTF-8 needs at most three bytes per UTF-16 code unit. */
export function maxRegistrationBytes(toolkitTextBytes: number): number {
  return 3 * Math.max(LARGE_FRAME_CHARS, maxRegistrationChars(toolkitTextBytes));
}

function maxRegistrationChars(toolkitTextBytes: number): number {
  return Math.ceil(REGISTRATION_SHARE * Math.min(toolkitTextBytes, MAX_TEXT_BYTES));
}

export function judgeLargeFrame(text: string, { isAwaited, toolkitTextBytes }: LargeFrameRules): LargeFrameFate {
  const { id, method, invocationId, commas, isTooDeep } = readFrameHead(text);
  const isUnawaited = invocationId !== undefined && !isAwaited(invocationId);
  if (method === METHODS.result && isUnawaited && id !== undefined)
    return { frame: { kind: 'request', id, method, params: { invocationId, result: null } } };
  if (isUnawaited) return 'ignore';
  const tooDeep = isTooDeep ? `nested more than ${MAX_JSON_DEPTH} levels deep` : undefined;
  if (method === undefined && id !== undefined && tooDeep)
    return { frame: { kind: 'error', id, error: handlerFailure('INVALID_RESULT', `The result is ${tooDeep}; return flatter data`) } };
  if (tooDeep) throw new BadFrame(FRAME_ERRORS.invalidRequest, `The frame is ${tooDeep}`);
  if (method === METHODS.register || method === METHODS.actions || method === METHODS.update) {
    const most = maxRegistrationChars(toolkitTextBytes);
    const mostValues = Math.ceil(Math.min(toolkitTextBytes, MAX_TEXT_BYTES) / CHARS_PER_VALUE);
    if (id === undefined) return 'parse';
    if (text.length > most) return { id, error: tooLong(method, `${text.length} characters`, most) };
    return commas > mostValues ? { id, error: tooLong(method, `${commas} values`, mostValues) } : 'parse';
  }
  if (method !== undefined && method !== METHODS.result)
    throw new BadFrame(FRAME_ERRORS.invalidRequest, `A frame "${method.slice(0, 40)}" has at most ${LARGE_FRAME_CHARS} characters`);
  return 'parse';
}

function tooLong(method: string, size: string, most: number): FrameError {
  const message =
    `The frame "${method}" has ${size}; at most ${most} are allowed. Send a long list of actions in parts, with "actions" requests; ` +
    'shorten descriptions and payload descriptions above the limit of the toolkit (toolkitTextBytes)';
  return { code: FRAME_ERRORS.failed, message, data: new SvcError('INVALID_ACTION', message).toJSON() };
}
