/** The log of calls, newest first, and the record of one call. */
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import type { AdminApi } from '../../../src/http/admin/admin-routes';
import { api } from './request';
import { isSpan, startOf } from './spans';

export const CALL_FILTERS = [
  'mine',
  'key',
  'toolkit',
  'action',
  'outcome',
  'toolkitCode',
  'session',
  'user',
  'origin',
  'from',
  'to',
] as const;

/** Filters in the address of the log: `from` is a time or one of `SPANS`. */
export type CallFilters = { [Name in (typeof CALL_FILTERS)[number]]?: string };

type Filters = AdminApi['GET /v1/invocations']['query'];

export function fetchCalls(
  { from, mine, outcome, origin, ...filters }: CallFilters,
  page: { limit: number; cursor?: string; signal?: AbortSignal },
): Promise<InvocationsPage> {
  const { signal, ...place } = page;
  return api('GET /v1/invocations', {
    query: {
      ...filters,
      // An address may contain any text; the service refuses an unknown one.
      mine: mine as Filters['mine'],
      outcome: outcome as Filters['outcome'],
      origin: origin as Filters['origin'],
      from: isSpan(from) ? startOf(from) : from,
      ...place,
    },
    ...(signal && { signal }),
  });
}

/** The address of the calls as a file. */
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
    queryFn: ({ signal }) => api('GET /v1/invocations/{id}', { params: { id }, signal }),
  });

export function cancelCall(id: string): Promise<void> {
  return api('DELETE /v1/invocations/{id}', { params: { id } });
}
