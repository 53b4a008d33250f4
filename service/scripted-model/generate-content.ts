/** Gemini: `POST /v1/models/<model>:generateContent`; `:streamGenerateContent?alt=sse` streams. Both also under `/v1beta`. */
import { type Conversation, toExchange } from './conversation.ts';
import { type GenerateContentRequest, parseContentRequest } from './generate-content/request.ts';
import { toContentChunks, toContentResponse } from './generate-content/response.ts';
import { functionCallsOf, functionResponsesOf, responseTo, textOf, toTurns } from './generate-content/turns.ts';
import type { Wire } from './wire.ts';

const STATUSES: Record<number, string> = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 405: 'UNIMPLEMENTED' };

export const generateContent: Wire = {
  path: /^\/v1(?:beta)?\/models\/[^/:]+:(?:generate|streamGenerate)Content$/,
  key: { hint: '"x-goog-api-key: …"', sent: (headers) => Boolean(headers['x-goog-api-key']) },
  read(body, path) {
    const request = parseContentRequest(body);
    return {
      conversation: readConversation(request),
      write(speech) {
        const response = toContentResponse(request, speech);
        if (path.endsWith(':generateContent')) return { json: response };
        return { events: [...toContentChunks(response)].map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`) };
      },
    };
  },
  error: ({ status, message }) => ({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } }),
};

function readConversation({ contents, tools = [] }: GenerateContentRequest): Conversation {
  const turns = toTurns(contents);
  const asked = turns.findLastIndex(({ role, parts }) => role === 'user' && textOf(parts) !== '');
  const since = turns.slice(asked + 1);
  return {
    question: textOf(turns[asked]?.parts ?? []),
    turns: since.flatMap(({ role, parts }, index) => {
      if (role !== 'model') return [];
      const responses = functionResponsesOf(since[index + 1]?.parts ?? []);
      return [
        functionCallsOf(parts).map((call, place) => toAnswered(`${index}.${place}`, call, responseTo(call, place, responses)?.response)),
      ];
    }),
    offered: tools
      .flatMap(({ functionDeclarations }) => functionDeclarations)
      .map(({ name, description, parametersJsonSchema, parameters }) => ({
        name,
        description,
        parameters: parametersJsonSchema ?? parameters,
      })),
  };
}

type Call = ReturnType<typeof functionCallsOf>[number];

/** The member "output", or the whole response without that member, such as `{error: …}`. */
function toAnswered(place: string, { id = place, name, args }: Call, response: Record<string, unknown> | undefined) {
  const output = response && 'output' in response ? response.output : response;
  return toExchange({ id, tool: name, input: args ?? {} }, new Map(response ? [[id, JSON.stringify(output)]] : []));
}
