/** The first use of a new key. */
import { queryOptions } from '@tanstack/react-query';
import type { OwnedKey, ToolkitReportDetail } from '#sdk/protocol/admin';
import { ApiError, api } from './request';

const MOST_CHECKED = 5;

/**
 * The first of the keys whose toolkit no process has ever registered; null if all are in use.
 * Queried once per visit: a key that gets used while the page is open stays on the page.
 *
 * @param keys toolkit keys
 */
export const unusedToolkitKeyQuery = (keys: readonly OwnedKey[]) =>
  queryOptions({
    queryKey: ['first-steps', 'unused-toolkit-key'],
    queryFn: async ({ signal }) => {
      for (const key of keys.slice(0, MOST_CHECKED))
        if (key.toolkit !== undefined && (await registeredToolkit(key.toolkit, signal)) === null) return key;
      return null;
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** null until a process has registered the toolkit. */
export const firstToolkitQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'first-toolkit', id],
    queryFn: ({ signal }) => registeredToolkit(id, signal),
  });

function registeredToolkit(id: string, signal: AbortSignal): Promise<ToolkitReportDetail | null> {
  return api('GET /v1/reports/toolkits/{id}', { params: { id }, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

/** null until the first call with the key. */
export const lastCallQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['invocations', 'last-of', keyId],
    queryFn: async ({ signal }) => {
      const { invocations } = await api('GET /v1/invocations', { query: { key: keyId, limit: 1 }, signal });
      return invocations[0] ?? null;
    },
  });
