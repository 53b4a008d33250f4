import { queryOptions } from '@tanstack/react-query';
import type { Me } from '#sdk/protocol/admin';
import { ApiError, api } from './request';

/** The person who is signed in; the error NOT_SIGNED_IN if there is none. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api('GET /v1/me', { signal }),
  staleTime: 60_000,
});

/** Queries the service, never the cache. Also undefined if the service does not answer: the sign-in page shows that. */
export async function whoIsSignedIn(): Promise<Me | undefined> {
  return api('GET /v1/me').catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
}

/** The person who is signed in, for pages that do not require it; null if there is none. */
export const signedInPersonQuery = queryOptions({
  queryKey: ['signed-in-person'],
  queryFn: async () => (await whoIsSignedIn())?.person ?? null,
});

/** The data of the sign-in page. */
export const consoleQuery = queryOptions({
  queryKey: ['console'],
  queryFn: ({ signal }) => api('GET /v1/console', { signal }),
});
