/** Counts of calls: now, over time, and of what there is most. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  ADMIN_PATHS,
  type StatsNow,
  type StatsSeries,
  type StatsTop,
  type StatsTopBy,
  type StatsTopOrder,
} from '../../../src/protocol/admin';
import { request } from './request';
import { type Stretch, timesOf } from './spans';

export const statsNowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: ({ signal }) => request<StatsNow>(`${ADMIN_PATHS.stats}/now`, { signal }),
});

/** Of all that one may see, or of one key, toolkit or action. */
export interface SeriesOf {
  key?: string;
  toolkit?: string;
  action?: string;
}

export const statsSeriesQuery = (stretch: Stretch, of: SeriesOf = {}) =>
  queryOptions({
    queryKey: ['stats', 'series', of, stretch],
    queryFn: ({ signal }) => request<StatsSeries>(`${ADMIN_PATHS.stats}/series`, { query: { ...timesOf(stretch), ...of }, signal }),
    placeholderData: keepPreviousData,
  });

export const statsTopQuery = (stretch: Stretch, by: StatsTopBy, order: StatsTopOrder, limit = 6) =>
  queryOptions({
    queryKey: ['stats', 'top', by, order, limit, stretch],
    queryFn: ({ signal }) => request<StatsTop>(`${ADMIN_PATHS.stats}/top`, { query: { by, order, ...timesOf(stretch), limit }, signal }),
    placeholderData: keepPreviousData,
  });
