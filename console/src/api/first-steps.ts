/** What has come of a new key so far. */
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type InvocationsPage, type ToolkitReportDetail } from '../../../src/protocol/admin';
import { ApiError, request } from './request';

/** null until a process has registered the toolkit. */
export const firstToolkitQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'first-toolkit', id],
    queryFn: ({ signal }) =>
      request<ToolkitReportDetail>(`${ADMIN_PATHS.reports}/toolkits/${encodeURIComponent(id)}`, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
  });

/** null until the key has called. */
export const lastCallQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['invocations', 'last-of', keyId],
    queryFn: async ({ signal }) => {
      const { invocations } = await request<InvocationsPage>(ADMIN_PATHS.invocations, { query: { key: keyId, limit: 1 }, signal });
      return invocations[0] ?? null;
    },
  });
