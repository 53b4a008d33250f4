/**
 * Runs a handler. Returns its outcome as members of the answer's JSON text: `"result":…` with content and payment, or `"error":…`. Never
 * throws.
 */
import { FRAME_ERRORS } from '../protocol/frames';
import { DEFAULT_LIMITS } from '../protocol/limits';
import { type HandlerOutcome, InvocationContext } from './context';
import { toFrameError } from './frame-error';
import type { Invocation } from './invocation';
import type { Middleware } from './options';
import { toJsonText } from './plain-json';

/** The rest of the frame: id, method, member names. */
const FRAME_ROOM_BYTES = 1024;
const MAX_RESULT_BYTES = DEFAULT_LIMITS.frameBytes - FRAME_ROOM_BYTES;
const MAX_UTF8_BYTES_PER_CHAR = 3;
/** The kept part of the message of an error that is too large. */
const MAX_KEPT_CHARS = 2_000;

export async function runAction(invocation: Invocation, middleware?: Middleware): Promise<string> {
  const context = new InvocationContext(invocation);
  try {
    const { definition, payload } = invocation;
    const next = () => definition.run(context, payload);
    const returned = await (middleware ? middleware(context, async () => next()) : next());
    if (returned instanceof Error) return errorOutcome(returned);
    return resultOutcome(context.outcome(returned));
  } catch (error) {
    return errorOutcome(error);
  } finally {
    context.end();
  }
}

function resultOutcome({ result, content, charged, meta }: HandlerOutcome): string {
  let outcome = `"result":${toJsonText(result)}`;
  if (content) outcome += `,"content":${JSON.stringify(content)}`;
  if (meta) outcome += `,"meta":${toJsonText(meta)}`;
  // An amount needs no escapes.
  if (charged !== undefined) outcome += `,"payment":{"amount":"${charged}"}`;
  return isTooLarge(outcome) ? tooLargeOutcome(Buffer.byteLength(outcome)) : outcome;
}

function isTooLarge(text: string): boolean {
  return text.length * MAX_UTF8_BYTES_PER_CHAR > MAX_RESULT_BYTES && Buffer.byteLength(text) > MAX_RESULT_BYTES;
}

function errorOutcome(thrown: unknown): string {
  const error = toFrameError(thrown);
  const text = textForFrame(error);
  // The handler's `data` or message is too large. The beginning of the message still names the mistake.
  return text ? `"error":${text}` : plainErrorOutcome('INVALID_RESULT', error.message.slice(0, MAX_KEPT_CHARS));
}

/** Undefined for a value that cannot be serialised, or is larger than a frame. */
function textForFrame(value: unknown): string | undefined {
  try {
    const text = toJsonText(value);
    return isTooLarge(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** An error that does not come from a handler. `reason` is for programs, like `ActionError.code`. */
export function plainErrorOutcome(reason: string, message: string, code: number = FRAME_ERRORS.failed): string {
  return `"error":${JSON.stringify({ code, message, data: { code: reason, message } })}`;
}

/** The error of a run whose outcome is unknown here. */
export function unknownOutcome(message: string): string {
  return plainErrorOutcome('OUTCOME_UNKNOWN', `${message}. Check before you call it again`, FRAME_ERRORS.outcomeUnknown);
}

export function tooLargeOutcome(bytes: number): string {
  const advice = 'return a part, a page, a smaller image, or ctx.link(…) to where all of it is';
  return plainErrorOutcome('RESULT_TOO_LARGE', `The result has ${bytes} bytes as JSON, more than one frame may have: ${advice}`);
}
