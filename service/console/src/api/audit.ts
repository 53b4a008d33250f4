import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './request';

/** The audit log, newest first. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) => api('GET /v1/audit', { query: { cursor: pageParam, limit: 100 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
