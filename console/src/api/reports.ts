/** What is known of toolkits and their actions: who is online, the calls of the last day, what the linter says. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type ActionReport, ADMIN_PATHS, type ToolkitReportDetail, type ToolkitReportsPage } from '../../../src/protocol/admin';
import { request } from './request';

export const toolkitReportsQuery = infiniteQueryOptions({
  queryKey: ['reports', 'toolkits'],
  queryFn: ({ pageParam, signal }) =>
    request<ToolkitReportsPage>(`${ADMIN_PATHS.reports}/toolkits`, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

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
