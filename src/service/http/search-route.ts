/** `POST /v1/search`: finds actions that a model can use now. docs/protocol.md section 4. */
import { HEADERS, PATHS } from '../../protocol/http';
import { searchRequest, searchResponse } from '../../protocol/schemas';
import { answerSearch, cleanQuery } from '../catalog/answer/index';
import type { RankingOptions } from '../catalog/search/index';
import { callerOf, readCallerIds } from '../keys/caller-ids';
import { mayFind } from '../keys/may-find';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { SEARCH_ID_OF_ANSWER, searchId, sessionId, userId } from './documented-headers';
import { readSearchId } from './read-search-id';

export const searchRoute = defineRoute({
  id: 'searchActions',
  summary: 'Find actions',
  method: 'POST',
  path: PATHS.search,
  access: 'agent',
  headers: [searchId, userId, sessionId],
  body: searchRequest,
  answer: searchResponse,
  answerHeaders: SEARCH_ID_OF_ANSWER,
  async handle({ context, key, body, receivedAt }, { catalog, ranking, online, searches, limits, metrics }: AppDeps) {
    const ids = callerOf(key, readCallerIds(context.req.header(HEADERS.sessionId), context.req.header(HEADERS.userId)));
    const { query: asked, ...wish } = body;
    const query = cleanQuery(asked, limits.queryChars);
    const index = {
      rank: async (text: string, options: RankingOptions) => ranking.search(text, options),
      action: (id: string) => catalog.action(id),
      toolkit: (id: string) => catalog.toolkit(id),
      isOnline: (id: string) => online.has(id),
      mayUse: (id: string) => mayFind(key, id, catalog),
    };
    const { response, shown } = await answerSearch(index, { ...wish, query });
    const previousId = readSearchId(context.req.header(HEADERS.searchId));
    const id = searches.searched({ keyId: key.id, query: query.text, shown, previousId, ...ids });
    // The id is a header, because some clients give the body to their models, where equal searches must have equal bytes.
    if (id !== undefined) context.header(HEADERS.searchId, id);
    metrics?.searched(performance.now() - receivedAt);
    return response;
  },
});
