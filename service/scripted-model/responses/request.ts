/**
 * The part of the request that matters for tools.
 *
 * Errors: RequestError.
 * Source: `ResponseCreateParams` of openai 7, and https://platform.openai.com/docs/api-reference/responses/create
 */
import * as z from 'zod';
import { parseBody, RequestError } from '../wire.ts';
import { functionTool, item, programsTool, toolSearchTool } from './items.ts';

const request = z.object({
  model: z.string().min(1),
  input: z.union([z.string().transform((content) => [{ type: 'message' as const, role: 'user' as const, content }]), z.array(item)]),
  tools: z
    .array(z.discriminatedUnion('type', [functionTool, toolSearchTool, programsTool]))
    .max(128)
    .default([]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
});

export type ResponsesRequest = z.infer<typeof request>;
export type OfferedResponsesTool = ResponsesRequest['tools'][number];

export function parseResponsesRequest(body: string): ResponsesRequest {
  const parsed = request.safeParse(parseBody(body));
  if (parsed.success) return parsed.data;
  const { path, message } = deepest(parsed.error.issues[0] as z.core.$ZodIssue);
  throw new RequestError(400, `${path.join('.') || 'The body'}: ${message}`, { param: path.join('.') || null });
}

/** The alternative of a union that matched furthest is the intended one. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  const alternatives = issue.code === 'invalid_union' ? issue.errors.flat().map(deepest) : [];
  const [best] = alternatives.sort((a, b) => b.path.length - a.path.length);
  return best ? { path: [...issue.path, ...best.path], message: best.message } : issue;
}
