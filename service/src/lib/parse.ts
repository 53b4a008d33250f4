/** Parses a value from the wire. An invalid value becomes INVALID_REQUEST with the path of each fault. */
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { SvcError } from '#sdk/protocol/errors';

const MAX_ISSUES = 5;

export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${toDotPath(path) || what}: ${message}`);
  throw new SvcError('INVALID_REQUEST', `"${what}" is not understood: ${issues.join('; ')}`);
}
