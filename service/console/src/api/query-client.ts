/** The cache of queries. Errors that a retry cannot fix are shown immediately. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './request';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.problem?.retryable === true),
    },
    // Request and answer may contain a password or a new key: they are removed when the page closes.
    mutations: { gcTime: 0 },
  },
});
