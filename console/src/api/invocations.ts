/** The log of calls, newest first, and all that is kept of one. */
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type InvocationDetail, type InvocationsPage } from '../../../src/protocol/admin';
import { request } from './request';
import { isSpan, startOf } from './spans';

/** As the address of the log has them: `from` is a time or one of `SPANS`. */
export interface CallFilters {
  key?: string;
  toolkit?: string;
  action?: string;
  outcome?: string;
  from?: string;
  to?: string;
}

export function fetchCalls(
  { from, ...filters }: CallFilters,
  page: { limit: number; cursor?: string; signal?: AbortSignal },
): Promise<InvocationsPage> {
  const { signal, ...place } = page;
  return request<InvocationsPage>(ADMIN_PATHS.invocations, {
    query: { ...filters, from: isSpan(from) ? startOf(from) : from, ...place },
    ...(signal && { signal }),
  });
}

/** Where a browser gets them as a file. */
export function callFilePath({ from, ...filters }: CallFilters, format: 'csv' | 'jsonl'): string {
  const start = isSpan(from) ? startOf(from) : from;
  const query = new URLSearchParams({ format, ...filters, ...(start !== undefined && { from: start }) });
  return `${ADMIN_PATHS.invocations}/export?${query}`;
}

export const newestCallsQuery = (filters: CallFilters, limit: number) =>
  queryOptions({
    queryKey: ['invocations', 'newest', filters, limit],
    queryFn: ({ signal }) => fetchCalls(filters, { limit, signal }),
  });

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['invocations', 'one', id],
    queryFn: ({ signal }) => request<InvocationDetail>(`${ADMIN_PATHS.invocations}/${encodeURIComponent(id)}`, { signal }),
  });
