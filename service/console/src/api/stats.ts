/** Counts of calls: now, over time, and top lists. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { StatsTopBy, StatsTopOrder } from '#sdk/protocol/admin';
import { api } from './request';
import { beforeOf, type Stretch, timesOf } from './spans';

export const statsNowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: ({ signal }) => api('GET /v1/stats/now', { signal }),
});

/** Counts of all visible calls, of one key, toolkit or action, or of one's own agent keys or toolkits. */
export interface SeriesOf {
  key?: string;
  toolkit?: string;
  action?: string;
  mine?: 'keys' | 'toolkits';
}

export const statsSeriesQuery = (stretch: Stretch, of: SeriesOf = {}) =>
  queryOptions({
    queryKey: ['stats', 'series', of, stretch],
    queryFn: ({ signal }) => api('GET /v1/stats/series', { query: { ...timesOf(stretch), ...of }, signal }),
    placeholderData: keepPreviousData,
  });

const STALE_BEFORE_MS = 60_000;

/** Counts of the equally long time before. They hardly change, so the live numbers leave them out. */
export const statsBeforeQuery = (stretch: Stretch, of: SeriesOf = {}) =>
  queryOptions({
    queryKey: ['stats-before', of, stretch],
    queryFn: ({ signal }) => api('GET /v1/stats/series', { query: { ...beforeOf(stretch), ...of }, signal }),
    staleTime: STALE_BEFORE_MS,
  });

export const statsTopQuery = (stretch: Stretch, by: StatsTopBy, order: StatsTopOrder, limit = 6) =>
  queryOptions({
    queryKey: ['stats', 'top', by, order, limit, stretch],
    queryFn: ({ signal }) => api('GET /v1/stats/top', { query: { by, order, ...timesOf(stretch), limit }, signal }),
    placeholderData: keepPreviousData,
  });
