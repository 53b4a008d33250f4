/** Anthropic messages: `POST /v1/messages`, also with `?beta=true`. */
import { visibleTools } from './anthropic-messages/deferred-tools.ts';
import { toMessage, toMessageEvents } from './anthropic-messages/message.ts';
import { refuseLostProgram } from './anthropic-messages/programs.ts';
import { blocksOf, isCustom, type MessagesRequest, parseMessagesRequest, type ToolResultBlock } from './anthropic-messages/request.ts';
import { type Conversation, toExchange } from './conversation.ts';
import type { Speech } from './speech.ts';
import { RequestError, type Wire } from './wire.ts';

const ERROR_TYPES: Record<number, string> = { 401: 'authentication_error', 404: 'not_found_error', 500: 'api_error' };

export const anthropicMessages: Wire = {
  path: /^\/v1\/messages$/,
  // The official clients of 2026 send `?beta=true`.
  key: {
    hint: '"x-api-key: …" or "Authorization: Bearer …"',
    sent: ({ 'x-api-key': key = '', authorization = '' }) => key !== '' || /^Bearer \S/.test(authorization),
  },
  read(body) {
    const request = parseMessagesRequest(body);
    refuseLostProgram(request);
    const conversation = readConversation(request);
    return {
      conversation,
      write(speech) {
        refuseDeferred(speech, request, conversation);
        const message = toMessage(request, speech);
        return request.stream ? { events: toText(toMessageEvents(message)) } : { json: message };
      },
    };
  },
  error: ({ status, message }) => ({ type: 'error', error: { type: ERROR_TYPES[status] ?? 'invalid_request_error', message } }),
};

function* toText(events: Iterable<{ type: string }>): Generator<string> {
  for (const event of events) yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Refuses calls of tools that are not loaded. An undeclared name is allowed: models make up names. */
function refuseDeferred(speech: Speech, { tools = [] }: MessagesRequest, { offered }: Conversation): void {
  const calls = 'calls' in speech ? speech.calls : [];
  const called = calls.find(
    ({ name }) => tools.some((tool) => isCustom(tool) && tool.name === name) && !offered.some((tool) => tool.name === name),
  );
  if (called) throw new RequestError(500, `The script broke: ${called.name} is deferred, and no tool_reference has loaded it`);
}

function readConversation(request: MessagesRequest): Conversation {
  const { messages } = request;
  const texts = messages.map((message) =>
    message.role === 'user' ? blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
  );
  const asked = texts.findLastIndex((text) => text.length > 0);
  const since = messages.slice(asked + 1);
  const results = since.flatMap(blocksOf).filter((block) => block.type === 'tool_result');
  const outputs = new Map(results.map((result) => [result.tool_use_id, outputOf(result)]));
  const turns = since
    .filter(({ role }) => role === 'assistant')
    .map((message) =>
      blocksOf(message).flatMap((block) =>
        block.type === 'tool_use' ? [toExchange({ id: block.id, tool: block.name, input: block.input }, outputs)] : [],
      ),
    );
  const offered = visibleTools(request).map(({ name, description, input_schema }) => ({ name, description, parameters: input_schema }));
  return { question: texts[asked]?.join('\n') ?? '', turns, offered };
}

/** References stay blocks: the loaded tools are in the list of tools. */
function outputOf({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return content.some((block) => block.type === 'tool_reference') ? JSON.stringify(content) : texts.join('');
}
