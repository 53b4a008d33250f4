import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type StatsTop, type StatsTopBy, type StatsTopOrder } from '../../../src/protocol/admin';
import { request } from './request';

/** The actions with most calls of the last day, of those that one may see. */
export const mostUsedActionsQuery = queryOptions({
  queryKey: ['stats', 'most-used'],
  queryFn: ({ signal }) =>
    request<StatsTop>(`${ADMIN_PATHS.stats}/top`, {
      query: { by: 'action' satisfies StatsTopBy, order: 'calls' satisfies StatsTopOrder, limit: 8 },
      signal,
    }),
  staleTime: 60_000,
});
