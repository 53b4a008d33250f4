/** The shape of messages from the process of the programs. It runs foreign code, so nothing in its output is trusted. */
import * as z from 'zod';
import type { FromPrograms } from './messages';

const attempt = z.int().positive();
const programErrorCode = z.enum([
  'SYNTAX_ERROR',
  'PROGRAM_ERROR',
  'MEMORY_LIMIT',
  'CPU_LIMIT',
  'TOO_MANY_CALLS',
  'RESULT_TOO_LONG',
  'CALLS_NOT_AWAITED',
  'NEVER_ENDS',
  'BUSY',
]);

const attemptEnd = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('done'), resultJson: z.string().refine(isJson) }),
  z.strictObject({
    status: z.literal('failed'),
    code: programErrorCode,
    message: z.string().max(4_000),
    line: z.int().positive().optional(),
  }),
  z.strictObject({ status: z.literal('suspended') }),
  z.strictObject({ status: z.literal('again'), slow: z.boolean() }),
]);

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), data: z.base64(), mimeType: z.string().regex(/^image\/[\w.+-]+$/) }),
]);

const message: z.ZodType<FromPrograms> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('call'),
    attempt,
    call: z.int().positive(),
    kind: z.enum(['invoke', 'search', 'describe']),
    action: z.string(),
    payloadJson: z.string(),
  }),
  z.strictObject({ type: z.literal('log'), attempt, text: z.string() }),
  z.strictObject({ type: z.literal('content'), attempt, block }),
  z.strictObject({ type: z.literal('end'), attempt, end: attemptEnd }),
]);

/** Returns undefined for a line of another shape. */
export function readProgramMessage(line: string): FromPrograms | undefined {
  try {
    return message.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
