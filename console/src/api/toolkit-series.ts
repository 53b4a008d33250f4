import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type StatsSeries } from '../../../src/protocol/admin';
import { request } from './request';

/** Calls of a toolkit over the last day. */
export const toolkitSeriesQuery = (toolkit: string) =>
  queryOptions({
    queryKey: ['stats', 'series', { toolkit }],
    queryFn: ({ signal }) => request<StatsSeries>(`${ADMIN_PATHS.stats}/series`, { query: { toolkit }, signal }),
  });
