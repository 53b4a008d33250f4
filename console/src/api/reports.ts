/** What is known of toolkits and their actions: who is online, the calls of the last day, what the linter says. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  type ActionReport,
  type ActionSummariesPage,
  ADMIN_PATHS,
  type RemovedToolkit,
  type ToolkitReportDetail,
  type ToolkitReportsPage,
  type ToolkitSort,
} from '../../../src/protocol/admin';
import { request } from './request';

export const toolkitReportsQuery = infiniteQueryOptions({
  queryKey: ['reports', 'toolkits'],
  queryFn: ({ pageParam, signal }) =>
    request<ToolkitReportsPage>(`${ADMIN_PATHS.reports}/toolkits`, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export interface ToolkitsAsked {
  q?: string;
  state?: 'online' | 'offline';
  sort?: ToolkitSort;
  order?: 'asc' | 'desc';
}

/** All toolkits that fit, searched and ordered by the service: one's own first unless told. */
export const toolkitListQuery = ({ q, state, sort = 'mine', order }: ToolkitsAsked) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'toolkit-list', { q, state, sort, order }],
    queryFn: ({ pageParam, signal }) =>
      request<ToolkitReportsPage>(`${ADMIN_PATHS.reports}/toolkits`, { query: { q, state, sort, order, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

const SUGGESTED = 20;

/** Toolkits whose calls one may see, by a part of their name or id. */
export const toolkitSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['reports', 'toolkit-suggestions', q],
    queryFn: ({ signal }) =>
      request<ToolkitReportsPage>(`${ADMIN_PATHS.reports}/toolkits`, { query: { q, mine: true, limit: SUGGESTED }, signal }),
    placeholderData: keepPreviousData,
  });

/** Actions by any part of their id. */
export const actionSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['reports', 'action-suggestions', q],
    queryFn: ({ signal }) => request<ActionSummariesPage>(`${ADMIN_PATHS.reports}/actions`, { query: { q, limit: SUGGESTED }, signal }),
    placeholderData: keepPreviousData,
  });

export const removeToolkit = (id: string) =>
  request<RemovedToolkit>(`${ADMIN_PATHS.reports}/toolkits/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const toolkitReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'toolkit', id],
    queryFn: ({ signal }) => request<ToolkitReportDetail>(`${ADMIN_PATHS.reports}/toolkits/${encodeURIComponent(id)}`, { signal }),
  });

export const actionReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'action', id],
    queryFn: ({ signal }) => request<ActionReport>(`${ADMIN_PATHS.reports}/actions/${encodeURIComponent(id)}`, { signal }),
  });
