/** zod schemas of `meta` and icons of an action, for the wire and for the lock file of imports. */
import * as z from 'zod';
import { type ActionIcon, type ActionMeta, MAX_RESULT_META_BYTES } from './action-meta';

export const actionMeta = z.record(z.string(), z.unknown()) satisfies z.ZodType<ActionMeta>;

export const actionIcons = z
  .array(
    z.object({
      src: z.string().regex(/^(https?:\/\/|data:)/i, 'must be an https:, http: or data: URI'),
      mimeType: z.string().exactOptional(),
      sizes: z.array(z.string()).exactOptional(),
      theme: z.enum(['light', 'dark']).exactOptional(),
    }),
  )
  .describe('Icons for people, as in MCP') satisfies z.ZodType<ActionIcon[]>;

/** `meta` of a result. */
export const resultMeta = actionMeta.refine(
  (meta) => JSON.stringify(meta).length * 3 <= MAX_RESULT_META_BYTES || Buffer.byteLength(JSON.stringify(meta)) <= MAX_RESULT_META_BYTES,
  `must have at most ${MAX_RESULT_META_BYTES} bytes as JSON`,
);
