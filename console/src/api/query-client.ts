/** What was asked and answered, kept while it is fresh. Errors that a second try cannot mend are shown at once. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './request';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.problem?.retryable === true),
    },
    // What was sent and answered may be a password or a new key: it goes with the page that showed it.
    mutations: { gcTime: 0 },
  },
});
