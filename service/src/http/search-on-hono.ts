/** `POST /v1/search` for requests of the service itself, and in the OpenAPI document. All others are served by `SearchRoute`. */
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { searchRequest, searchResponse } from '#sdk/protocol/schemas';
import { answerSearchRequest } from './answer-search-request';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { SEARCH_ID_OF_ANSWER, searchId, sessionId, usage, userId } from './documented-headers';
import { searchHeadersOf } from './search-route';

export const searchRoute = defineRoute({
  id: 'searchActions',
  summary: 'Find actions',
  method: 'POST',
  path: PATHS.search,
  access: 'agent',
  headers: [searchId, userId, sessionId, usage],
  body: searchRequest,
  answer: searchResponse,
  answerHeaders: SEARCH_ID_OF_ANSWER,
  async handle({ context, key, body, receivedAt }, deps: AppDeps) {
    const headers = searchHeadersOf((name) => context.req.header(name));
    const { json, id } = await answerSearchRequest({ key, body, headers, receivedAt }, deps);
    if (id !== undefined) context.header(HEADERS.searchId, id);
    return context.body(json, 200, { 'content-type': 'application/json' });
  },
});
