/** Filters of a list that people keep under a name. */
import { queryOptions } from '@tanstack/react-query';
import type { ChangeViewRequest, NewViewRequest } from '#sdk/protocol/admin';
import { api } from './request';

/** One's own, and the shared ones, of all pages. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await api('GET /v1/views', { signal })).views,
  staleTime: 60_000,
});

export const saveView = (view: NewViewRequest) => api('POST /v1/views', { body: view });

export const changeView = ({ id, ...change }: ChangeViewRequest & { id: string }) =>
  api('PATCH /v1/views/{id}', { params: { id }, body: change });

export const deleteView = (id: string) => api('DELETE /v1/views/{id}', { params: { id } });
