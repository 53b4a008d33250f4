/**
 * The part of a messages request that matters for tools, and the real server's errors for the rest.
 *
 * Errors: RequestError.
 * Source: the published types of `@anthropic-ai/sdk`, and https://platform.claude.com/docs/en/api/messages
 */
import * as z from 'zod';
import { parseBody, RequestError } from '../wire.ts';

const textBlock = z.object({ type: z.literal('text'), text: z.string().min(1) });
const text = z.union([z.string().min(1), z.array(textBlock).min(1)]);

const CODE = 'code_execution_20260120';
const caller = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('direct') }),
  z.strictObject({ type: z.literal(CODE), tool_id: z.string() }),
]);

const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  caller: caller.optional(),
});

/** Scripts read neither programs nor what they print. */
const programBlock = z.looseObject({ type: z.enum(['server_tool_use', 'code_execution_tool_result']) });

const toolReference = z.strictObject({ type: z.literal('tool_reference'), tool_name: z.string().min(1) });

/** Scripts read neither images nor documents. */
const source = z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.string().min(1) });
const imageBlock = z.strictObject({ type: z.literal('image'), source });
const documentBlock = z.strictObject({ type: z.literal('document'), source, title: z.string().optional() });

const toolResultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock])), z.array(toolReference)])
    .default(''),
  is_error: z.boolean().optional(),
});

const message = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.discriminatedUnion('type', [textBlock, toolResultBlock])).min(1)]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string().min(1), z.array(z.discriminatedUnion('type', [textBlock, toolUseBlock, programBlock])).min(1)]),
  }),
]);

const COMBINATORS = ['oneOf', 'allOf', 'anyOf'];

const tool = z.strictObject({
  type: z.literal('custom').optional(),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z
    .looseObject({ type: z.literal('object') })
    .refine((schema) => !COMBINATORS.some((name) => name in schema), 'oneOf, allOf and anyOf are not possible at the top level'),
  defer_loading: z.boolean().optional(),
  allowed_callers: z.array(z.enum(['direct', CODE])).optional(),
});

const codeExecution = z.strictObject({ type: z.literal(CODE), name: z.literal('code_execution') });

const request = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z.array(message).min(1),
  system: text.optional(),
  cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional(),
  tools: z.array(z.union([codeExecution, tool])).optional(),
  container: z.string().nullish(),
  stream: z.boolean().optional(),
  thread: z.undefined({ error: 'this server keeps no message threads; a tool runner goes without one with `thread: false`' }).optional(),
});

export type MessagesRequest = z.infer<typeof request>;
export type CustomTool = z.infer<typeof tool>;
type Message = MessagesRequest['messages'][number];
export type Block = Exclude<Message['content'], string>[number];
export type ToolUseBlock = z.infer<typeof toolUseBlock>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;

export function parseMessagesRequest(body: string): MessagesRequest {
  const parsed = request.safeParse(parseBody(body));
  if (parsed.success) {
    refuseWrongOrder(parsed.data.messages);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new RequestError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message}`);
}

/** False for the tool that the API runs itself. */
export function isCustom(offered: NonNullable<MessagesRequest['tools']>[number]): offered is CustomTool {
  return 'input_schema' in offered;
}

export function blocksOf({ content }: Message): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** As the real server: every `tool_use` needs its `tool_result` at the beginning of the next message, and vice versa. */
function refuseWrongOrder(messages: Message[]): void {
  if (messages[0]?.role !== 'user') throw new RequestError(400, 'messages.0: the first message has to be one of the user');
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const blocks = blocksOf(message);
    const results = blocks.filter((block) => block.type === 'tool_result');
    for (const { tool_use_id: id } of results) {
      if (!open.delete(id)) throw new RequestError(400, `messages.${index}: the message before has no tool_use ${id} to be answered`);
    }
    refuseOpen(open, index - 1);
    if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      throw new RequestError(400, `messages.${index}: tool_result blocks come first`);
    const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    open = new Set(ids);
    if (open.size < ids.length) throw new RequestError(400, `messages.${index}: the ids of tool_use blocks have to be unique`);
  });
  refuseOpen(open, messages.length - 1);
}

function refuseOpen(open: Set<string>, index: number): void {
  if (open.size > 0) throw new RequestError(400, `messages.${index}: these tool_use blocks have no tool_result: ${[...open].join(', ')}`);
}
