/** `POST /v1/search`: what a model may use now. docs/protocol.md section 4. */
import { Hono } from 'hono';
import { HEADERS, PATHS, type SearchResponse } from '../../protocol/http';
import { searchRequest } from '../../protocol/schemas';
import { answerSearch, cleanQuery } from '../catalog/answer/index';
import { allowed } from '../keys/allowed';
import type { AppDeps } from './app-deps';
import { jsonBody } from './json-body';
import { readSearchId } from './read-search-id';
import { admit, type RequestEnv } from './request-env';

export function searchRoute({ catalog, ranking, online, gate, searches, limits, metrics }: AppDeps): Hono<RequestEnv> {
  const parts = {
    rank: async (query: string, options: { limit: number; accept: (id: string) => boolean }) => ranking.search(query, options),
    action: (id: string) => catalog.action(id),
    toolkit: (id: string) => catalog.toolkit(id),
    isOnline: (id: string) => online.has(id),
  };
  return new Hono<RequestEnv>().post(PATHS.search, async (context) => {
    const startedAt = performance.now();
    const key = await admit(context, gate);
    const { query: asked, ...wish } = await jsonBody(context, searchRequest, limits);
    const mayUse = (id: string) => allowed(key, id);
    const query = cleanQuery(asked, limits.queryChars);
    const { response, shown } = await answerSearch({ ...parts, mayUse }, { ...wish, query });
    const previousId = readSearchId(context.req.header(HEADERS.searchId));
    const searchId = searches.searched({ keyId: key.id, query: query.text, shown, previousId });
    // Not in the body: that is the same for the same search, and some hand it to their models as it is.
    if (searchId !== undefined) context.header(HEADERS.searchId, searchId);
    metrics?.searched(performance.now() - startedAt);
    return context.json<SearchResponse>(response);
  });
}
