/** The schema of a request for a new agent token. */
import * as z from 'zod';
import type { CreateTokenRequest } from '#sdk/protocol/http';
import { components } from '#sdk/protocol/schemas';
import { newKey } from './new-key';

const MAX_TTL_SECONDS = 3_600;
/** A token is sent in a header; Node accepts 16 kB of headers. */
const MAX_ALLOWED_NAMES = 100;

/** Strict, as for a new key. */
export const newToken = z
  .strictObject({
    ttlSeconds: z
      .int('must be a whole number of seconds')
      .min(1, 'must be at least 1')
      .max(MAX_TTL_SECONDS, `may be at most ${MAX_TTL_SECONDS}`)
      .describe('How long the token lasts; it ends with its key'),
    allow: newKey.shape.allow
      .unwrap()
      .refine(({ toolkits, actions }) => toolkits.length + actions.length > 0, 'names nothing: name toolkits or actions, or leave it out')
      .refine(
        ({ toolkits, actions }) => toolkits.length + actions.length <= MAX_ALLOWED_NAMES,
        `may name at most ${MAX_ALLOWED_NAMES} toolkits and actions`,
      )
      .exactOptional()
      .describe('A part of what the key may use; absent is all of that'),
    userId: z
      .string()
      .min(1, 'must not be empty')
      .max(256, 'may have at most 256 characters')
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')
      .exactOptional()
      .describe("The user of these calls, for the handlers' ctx.userId"),
  })
  .register(components, { id: 'CreateTokenRequest' }) satisfies z.ZodType<CreateTokenRequest>;
