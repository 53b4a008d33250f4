import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../../src/protocol/admin';
import { ApiError, api } from './request';

/** Who is signed in; NOT_SIGNED_IN when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api('GET /v1/me', { signal }),
  staleTime: 60_000,
});

/** Asks the service, never the cache. Undefined also when the service does not answer: the sign-in page says so. */
export async function whoIsSignedIn(): Promise<Me | undefined> {
  return api('GET /v1/me').catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
}

/** The person who is signed in, for a page that also others see; null for nobody. */
export const signedInPersonQuery = queryOptions({
  queryKey: ['signed-in-person'],
  queryFn: async () => (await whoIsSignedIn())?.person ?? null,
});

/** What the sign-in page has to know. */
export const consoleQuery = queryOptions({
  queryKey: ['console'],
  queryFn: ({ signal }) => api('GET /v1/console', { signal }),
});
