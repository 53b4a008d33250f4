/**
 * The part of the chat-completions request that matters for tools, and a real server's errors for the rest.
 *
 * Errors: RequestError.
 * Source: the published types of the `openai` package, and https://platform.openai.com/docs/api-reference/chat/create
 */
import * as z from 'zod';
import { parseBody, RequestError } from '../wire.ts';

const text = z.union([
  z.string(),
  z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((parts) => parts.map((part) => part.text).join('')),
]);

const toolCall = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: text }),
  z.object({ role: z.literal('user'), content: text }),
  z.object({ role: z.literal('assistant'), content: text.nullish(), tool_calls: z.array(toolCall).min(1).optional() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: text }),
]);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

const request = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).max(128).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
});

export type CompletionRequest = z.infer<typeof request>;
type Message = CompletionRequest['messages'][number];

export function parseCompletionRequest(body: string): CompletionRequest {
  const parsed = request.safeParse(parseBody(body));
  if (parsed.success) {
    refuseUnansweredCalls(parsed.data.messages);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new RequestError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message}`, { param: issue?.path.join('.') ?? null });
}

/** As a real server: tool messages must follow their tool calls directly, one for each call. */
function refuseUnansweredCalls(messages: Message[]): void {
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const param = `messages.[${index}].role`;
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        throw new RequestError(400, `No tool call before this message has the id ${message.tool_call_id}`, { param });
      return;
    }
    refuseOpen(open, param);
    open = new Set(message.role === 'assistant' ? message.tool_calls?.map(({ id }) => id) : []);
  });
  refuseOpen(open, `messages.[${messages.length}].role`);
}

function refuseOpen(open: Set<string>, param: string): void {
  if (open.size > 0) throw new RequestError(400, `These tool calls have no tool message: ${[...open].join(', ')}`, { param });
}
