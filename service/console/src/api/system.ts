import { queryOptions } from '@tanstack/react-query';
import { api } from './request';

/** The service reports no event for the load of its nodes. */
const REFRESH_MS = 5_000;

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => api('GET /v1/system', { signal }),
  refetchInterval: REFRESH_MS,
});
