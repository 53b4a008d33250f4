/**
 * zod schemas of everything that comes in over the wire: the service parses with them and generates `/v1/openapi.json` from them.
 * Only the service imports this file; the SDK side takes the types from `http.ts` and `frames.ts`, so that no zod comes with it.
 */
import { z } from 'zod';
import type { FrameError, ProgressParams, RegisterParams, ResultParams, ToolkitDetails } from './frames';
import type { ActionAnnotations, SearchRequest } from './http';

export const searchRequest = z.object({
  query: z.string().describe('What the action should do, in plain words; or an exact action or toolkit id'),
  limit: z.int().min(1).max(50).default(5).describe('How many actions at most'),
}) satisfies z.ZodType<SearchRequest>;

export const actionAnnotations = z.object({
  readOnly: z.boolean().exactOptional(),
  destructive: z.boolean().exactOptional(),
  idempotent: z.boolean().exactOptional(),
  openWorld: z.boolean().exactOptional(),
}) satisfies z.ZodType<ActionAnnotations>;

const toolkitDetails = z.object({
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
}) satisfies z.ZodType<ToolkitDetails>;

/** Actions are checked one by one, so that one bad action does not hide the others: here they are only objects. */
export const registerParams = z.object({
  protocol: z.int(),
  sdk: z.string().max(100),
  instance: z.string().min(8).max(64),
  toolkit: toolkitDetails.exactOptional(),
  actions: z.array(z.looseObject({ action: z.unknown() })),
  concurrency: z.int().min(1).max(10_000),
  unfinished: z.array(z.string().max(64)).max(100_000),
}) satisfies z.ZodType<Omit<RegisterParams, 'actions'>>;

export const actionRegistration = z.object({
  action: z.string(),
  actionDescription: z.string(),
  payloadDescription: z.unknown().optional(),
  annotations: actionAnnotations.exactOptional(),
});

export const updateParams = toolkitDetails;

const frameError = z.object({
  code: z.number(),
  message: z.string(),
  data: z.unknown().optional(),
}) satisfies z.ZodType<FrameError>;

export const resultParams = z.object({
  invocationId: z.string(),
  result: z.unknown().optional(),
  error: frameError.exactOptional(),
}) satisfies z.ZodType<ResultParams>;

export const progressParams = z.object({
  invocationId: z.string(),
  progress: z.number(),
  total: z.number().exactOptional(),
  message: z.string().max(1_000).exactOptional(),
}) satisfies z.ZodType<ProgressParams>;

const frameId = z.union([z.string().max(128), z.number()]);

/** One JSON-RPC 2.0 frame: a request, a notification (no id), or an answer. */
export const frame = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: frameId.exactOptional(), method: z.string(), params: z.unknown().optional() }),
  z.object({ jsonrpc: z.literal('2.0'), id: frameId.nullable(), error: frameError }),
  z.object({ jsonrpc: z.literal('2.0'), id: frameId, result: z.unknown() }),
]);
