/** Reports on toolkits and actions: online state, calls of the last day, findings of the linter. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ToolkitSort } from '#sdk/protocol/admin';
import { api } from './request';

/** The most used first. */
export const toolkitReportsQuery = infiniteQueryOptions({
  queryKey: ['reports', 'toolkits'],
  queryFn: ({ pageParam, signal }) => api('GET /v1/reports/toolkits', { query: { sort: 'use', cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export interface ToolkitsAsked {
  q?: string;
  state?: 'online' | 'offline';
  sort?: ToolkitSort;
  order?: 'asc' | 'desc';
}

/** The matching toolkits, searched and sorted by the service. Default order: the most used first. */
export const toolkitListQuery = ({ q, state, sort = 'use', order }: ToolkitsAsked) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'toolkit-list', { q, state, sort, order }],
    queryFn: ({ pageParam, signal }) => api('GET /v1/reports/toolkits', { query: { q, state, sort, order, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

const SUGGESTED = 20;

/** Toolkits whose calls the person may see, by a part of their name or id. */
export const toolkitSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['reports', 'toolkit-suggestions', q],
    queryFn: ({ signal }) => api('GET /v1/reports/toolkits', { query: { q, mine: 'true', limit: SUGGESTED }, signal }),
    placeholderData: keepPreviousData,
  });

/** Actions by any part of their id. */
export const actionSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['reports', 'action-suggestions', q],
    queryFn: ({ signal }) => api('GET /v1/reports/actions', { query: { q, limit: SUGGESTED }, signal }),
    placeholderData: keepPreviousData,
  });

export const removeToolkit = (id: string) => api('DELETE /v1/reports/toolkits/{id}', { params: { id } });

export const toolkitReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'toolkit', id],
    queryFn: ({ signal }) => api('GET /v1/reports/toolkits/{id}', { params: { id }, signal }),
  });

export const toolkitCallersQuery = (id: string) =>
  queryOptions({
    // Refreshed with the counts of calls.
    queryKey: ['stats', 'callers', id],
    queryFn: ({ signal }) => api('GET /v1/reports/toolkits/{id}/callers', { params: { id }, signal }),
  });

export const toolkitErrorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['stats', 'toolkit-errors', id],
    queryFn: ({ signal }) => api('GET /v1/reports/toolkits/{id}/errors', { params: { id }, signal }),
  });

export const actionReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'action', id],
    queryFn: ({ signal }) => api('GET /v1/reports/actions/{id}', { params: { id }, signal }),
  });
