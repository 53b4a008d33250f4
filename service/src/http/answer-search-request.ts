/** Answers a search request of any route: ranks, formats, stores the search for later calls, and measures the time. */
import type * as z from 'zod';
import type { searchRequest } from '#sdk/protocol/schemas';
import { answerSearch, cleanQuery } from '../catalog/answer/index';
import { isForModels } from '../catalog/app-resources';
import type { RankingOptions } from '../catalog/search/index';
import type { CallingKey } from '../keys/agent-tokens';
import { callerOf, readCallerIds } from '../keys/caller-ids';
import { mayFind } from '../keys/may-find';
import type { AppDeps } from './app-deps';
import { readSearchId } from './read-search-id';
import type { UsageHeaders } from './usage-reports';

export type SearchDeps = Pick<AppDeps, 'catalog' | 'rules' | 'ranking' | 'online' | 'searches' | 'usageReports' | 'limits' | 'metrics'>;

export interface SearchHeaders extends UsageHeaders {
  searchId: string | undefined;
}

export interface AskedSearch {
  key: CallingKey;
  body: z.output<typeof searchRequest>;
  headers: SearchHeaders;
  /** `performance.now()` before the request was admitted. */
  receivedAt: number;
}

interface AnsweredSearch {
  /** JSON text of a `SearchResponse`. */
  json: string;
  /** A header, because some clients give the body to their models: the bodies of equal searches must be equal. */
  id: string | undefined;
}

/** Rejects with INVALID_REQUEST for caller ids and tokens of models that are invalid in a header. */
export async function answerSearchRequest(
  { key, body, headers, receivedAt }: AskedSearch,
  { catalog, rules, ranking, online, searches, usageReports, limits, metrics }: SearchDeps,
): Promise<AnsweredSearch> {
  const ids = callerOf(key, readCallerIds(headers.sessionId, headers.userId));
  const { query: asked, ...wish } = body;
  const query = cleanQuery(asked, limits.queryChars);
  usageReports.take(key, headers);
  const index = {
    rank: async (text: string, options: RankingOptions) => ranking.search(text, options),
    action: (id: string) => catalog.action(id),
    toolkit: (id: string) => catalog.toolkit(id),
    isOnline: (id: string) => online.has(id),
    mayUse: (id: string) => mayFind(key, id, { catalog, rules }) && isForModels(catalog.action(id)),
  };
  const { json, shown } = await answerSearch(index, { ...wish, query });
  const previousId = readSearchId(headers.searchId);
  const id = searches.searched({ keyId: key.id, query: query.text, shown, previousId, ...ids, origin: key.origin });
  metrics?.searched(performance.now() - receivedAt);
  return { json, id };
}
