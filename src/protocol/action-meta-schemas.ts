/** zod schemas of `meta` and icons of an action, for the wire and for the lock file of imports. */
import * as z from 'zod';
import type { ActionIcon, ActionMeta } from './action-meta';

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
