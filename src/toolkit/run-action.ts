/**
 * Runs a handler to its outcome, as a member of the answer's JSON text: `"result":…` or `"error":…`. Never throws.
 */
import { DEFAULT_LIMITS } from '../protocol/limits';
import { ActionError, toFrameError } from './action-error';
import { InvocationContext } from './context';
import type { Invocation } from './invocation';
import type { AroundHandler } from './options';
import { toJsonText } from './plain-json';

/** The rest of the frame: id, method, member names. */
const FRAME_ROOM_BYTES = 1024;
const MAX_RESULT_BYTES = DEFAULT_LIMITS.frameBytes - FRAME_ROOM_BYTES;
const MAX_UTF8_BYTES_PER_CHAR = 3;

export async function runAction(invocation: Invocation, around?: AroundHandler): Promise<string> {
  try {
    const context = new InvocationContext(invocation);
    const run = () => invocation.definition.run(context, invocation.payload);
    const returned = await (around ? around(context, async () => run()) : run());
    if (returned instanceof Error) return errorOutcome(returned);
    return resultOutcome(returned === undefined ? context.lastResult : returned);
  } catch (error) {
    return errorOutcome(error);
  }
}

function resultOutcome(result: unknown): string {
  const text = toJsonText(result);
  const mayBeTooLarge = text.length * MAX_UTF8_BYTES_PER_CHAR > MAX_RESULT_BYTES;
  if (mayBeTooLarge && Buffer.byteLength(text) > MAX_RESULT_BYTES) return tooLargeOutcome(Buffer.byteLength(text));
  return `"result":${text}`;
}

export function errorOutcome(thrown: unknown): string {
  const error = toFrameError(thrown);
  try {
    return `"error":${toJsonText(error)}`;
  } catch {
    // What cannot be written is `data` of the handler's making; its code and message still tell what went wrong.
    const { code, message } = toFrameError(new ActionError('INVALID_RESULT', error.message));
    return `"error":${toJsonText({ code, message, data: { code: 'INVALID_RESULT', message } })}`;
  }
}

export function tooLargeOutcome(bytes: number): string {
  const advice = 'return a part, a page, or a link';
  return errorOutcome(
    new ActionError('RESULT_TOO_LARGE', `The result has ${bytes} bytes as JSON, more than one frame may have: ${advice}`),
  );
}
