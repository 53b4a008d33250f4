/** OpenAI chat completions: `POST /v1/chat/completions`, which most other servers support too. */
import { toCompletion, toCompletionChunks } from './chat-completions/completion.ts';
import { parseCompletionRequest } from './chat-completions/request.ts';
import { type Conversation, toExchange } from './conversation.ts';
import type { RequestError, Wire } from './wire.ts';

type CompletionRequest = ReturnType<typeof parseCompletionRequest>;

export const chatCompletions: Wire = {
  path: /^\/v1\/chat\/completions$/,
  key: { hint: '"Authorization: Bearer …"', sent: ({ authorization = '' }) => /^Bearer \S/.test(authorization) },
  read(body) {
    const request = parseCompletionRequest(body);
    return {
      conversation: readConversation(request),
      write(speech) {
        const completion = toCompletion(request, speech);
        if (!request.stream) return { json: completion };
        return { events: toEvents(toCompletionChunks(completion, request.stream_options?.include_usage === true)) };
      },
    };
  },
  error: openAiError,
};

/** The error body of all OpenAI APIs: `{error: {message, type, param, code}}`. */
export function openAiError({ status, message, param, code }: RequestError): unknown {
  return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code } };
}

function* toEvents(chunks: Iterable<unknown>): Generator<string> {
  for (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`;
  yield 'data: [DONE]\n\n';
}

function readConversation({ messages, tools = [] }: CompletionRequest): Conversation {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[asked];
  const since = messages.slice(asked + 1);
  const outputs = new Map(since.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content]] : [])));
  const turns = since.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const calls = message.tool_calls ?? [];
    return [calls.map(({ id, function: called }) => toExchange({ id, tool: called.name, input: called.arguments }, outputs))];
  });
  return {
    question: question?.role === 'user' ? question.content : '',
    turns,
    offered: tools.map((tool) => tool.function),
  };
}
