/**
 * Parses one text frame of a toolkit's socket. JSON-RPC 2.0, sections 4 and 5.
 *
 * Errors: throws `BadFrame` with the JSON-RPC code of the answer.
 */
import { resultMeta } from '#sdk/protocol/action-meta-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { withExactNumbers } from '#sdk/protocol/exact-number';
import { FRAME_ERRORS, type FrameError, METHODS } from '#sdk/protocol/frames';
import { isNestedTooDeep, MAX_JSON_DEPTH } from '#sdk/protocol/json-depth';
import { isObject } from '#sdk/protocol/json-object';
import { losesDigits, quoteNumbers } from '#sdk/protocol/number-digits';
import { content as contentSchema, frame as frameSchema } from '#sdk/protocol/schemas';
import { parseOrThrow } from '../lib/parse';
import { isJson } from '../lib/valid-json';
import type { AnsweredResult } from './attempt';

export type IncomingFrame =
  | { kind: 'request'; id: string | number; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | ({ kind: 'result'; id: string | number } & AnsweredResult)
  | { kind: 'error'; id: string | number | null; error: FrameError };

export class BadFrame extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function parseFrame(text: string): IncomingFrame {
  return parseResultOfOurSdk(text) ?? parseAnyFrame(text);
}

const RESULT_START = '{"jsonrpc":"2.0","id":"';
const RESULT_MIDDLE = '","result":';

/**
 * Fast path for results in the key order of our SDKs: the result's text is checked and passed on unchanged. Serialising it again would be a
 * third of the work per call at 30 kB.
 */
function parseResultOfOurSdk(text: string): IncomingFrame | undefined {
  if (!text.startsWith(RESULT_START)) return undefined;
  const idEnd = text.indexOf('"', RESULT_START.length);
  if (!text.startsWith(RESULT_MIDDLE, idEnd)) return undefined;
  const start = idEnd + RESULT_MIDDLE.length;
  const end = text.length - 1;
  // The text must be a single JSON value: `1,"result":2` would inject keys into the answer to the agent.
  if (!text.endsWith('}')) return undefined;
  const resultJson = text.slice(start, end);
  return isJson(resultJson) ? { kind: 'result', id: text.slice(RESULT_START.length, idEnd), resultJson } : undefined;
}

function parseAnyFrame(text: string): IncomingFrame {
  if (isNestedTooDeep(text)) throw new BadFrame(FRAME_ERRORS.invalidRequest, `The frame is nested more than ${MAX_JSON_DEPTH} levels deep`);
  let json: unknown;
  try {
    json = withAllDigits(JSON.parse(text), text);
  } catch {
    throw new BadFrame(FRAME_ERRORS.parse, 'The frame is not JSON');
  }
  const parsed = frameSchema.safeParse(json);
  if (!parsed.success) throw new BadFrame(FRAME_ERRORS.invalidRequest, 'The frame is not a JSON-RPC 2.0 request, notification or answer');
  const frame = parsed.data;
  if ('method' in frame) {
    const { id, method, params } = frame;
    return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  if ('error' in frame) return { kind: 'error', id: frame.id, error: frame.error };
  const outcome = readResult(frame);
  return 'error' in outcome ? { kind: 'error', id: frame.id, ...outcome } : { kind: 'result', id: frame.id, ...outcome };
}

/**
 * Keeps all digits of large numbers: as texts in an error, as `ExactNumber` in a result, which a progress report may not have. Numbers in
 * schemas stay doubles.
 */
function withAllDigits(frame: unknown, text: string): unknown {
  const quoted = quoteNumbers(text, losesDigits);
  if (quoted === text || !isObject(frame)) return frame;
  const { method, params = {} } = frame;
  if (method !== undefined && method !== METHODS.result && method !== METHODS.progress) return frame;
  return 'error' in frame || (isObject(params) && 'error' in params) ? JSON.parse(quoted) : withExactNumbers(frame, text);
}

/** The unchecked members of an answer with a result. */
interface ParsedResult {
  result?: unknown;
  content?: unknown;
  meta?: unknown;
  payment?: unknown;
}

/** Serialises a parsed result, its content and its `_meta`. */
export function readResult({ result, content, meta, payment }: ParsedResult): AnsweredResult | { error: FrameError } {
  try {
    const answered: AnsweredResult = { resultJson: JSON.stringify(result ?? null) };
    if (content !== undefined) answered.contentJson = JSON.stringify(parseOrThrow(contentSchema, content, 'content'));
    if (meta !== undefined) answered.metaJson = JSON.stringify(parseOrThrow(resultMeta, meta, 'meta'));
    if (payment !== undefined) answered.payment = payment;
    return answered;
  } catch (error) {
    if (SvcError.is(error)) return { error: handlerFailure('INVALID_RESULT', error.message) };
    // JSON.parse reads any depth, but JSON.stringify overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return { error: { code: FRAME_ERRORS.failed, message: 'The result is nested too deep to be passed on' } };
  }
}

/** An error in the form of a handler's failure. */
export function handlerFailure(code: string, message: string): FrameError {
  return { code: FRAME_ERRORS.failed, message, data: { code, message } };
}
