import { infiniteQueryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type AuditPage } from '../../../src/protocol/admin';
import { request } from './request';

/** Who changed what, newest first. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) => request<AuditPage>(ADMIN_PATHS.audit, { query: { cursor: pageParam, limit: 100 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
