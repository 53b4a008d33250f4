/** Runs of code. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './request';

const SHOWN = 50;
/** A run that goes on changes without a call of its own. */
const REFRESH_MS = 3_000;

/** Newest first; of one conversation, if it is named. */
export const runsQuery = (session?: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'list', session],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/code-runs', { query: { ...(session !== undefined && { session }), cursor: pageParam, limit: SHOWN }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => api('GET /v1/code-runs/{id}', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.endedAt === undefined ? REFRESH_MS : false),
  });
