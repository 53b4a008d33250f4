/** OpenAI Responses: `POST /v1/responses`, with the conversation in the request or in `previous_response_id`, and tool search by the client. */
import { chatCompletions, openAiError } from './chat-completions.ts';
import { readConversation } from './responses/conversation.ts';
import { toResponseEvents } from './responses/events.ts';
import { parseResponsesRequest } from './responses/request.ts';
import { toResponse } from './responses/response.ts';
import { remember, withHistory } from './responses/stored.ts';
import type { Wire } from './wire.ts';

export const responses: Wire = {
  path: /^\/v1\/responses$/,
  key: chatCompletions.key,
  read(body) {
    const request = parseResponsesRequest(body);
    const items = withHistory(request);
    return {
      conversation: readConversation(items, request.tools),
      write(speech) {
        const response = toResponse(request, speech);
        if (request.store !== false) remember(response.id, [...items, ...response.output]);
        return request.stream ? { events: toResponseEvents(response) } : { json: response };
      },
    };
  },
  error: openAiError,
};
