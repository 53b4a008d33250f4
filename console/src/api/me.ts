import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type ConsoleInfo, type Me } from '../../../src/protocol/admin';
import { ApiError, request } from './request';

/** Who is signed in; NOT_SIGNED_IN when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>(ADMIN_PATHS.me, { signal }),
  staleTime: 60_000,
});

/** Asks the service, never the cache. Undefined also when the service does not answer: the sign-in page says so. */
export async function whoIsSignedIn(): Promise<Me | undefined> {
  return request<Me>(ADMIN_PATHS.me).catch((error: unknown) => {
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
  queryFn: ({ signal }) => request<ConsoleInfo>(ADMIN_PATHS.console, { signal }),
});
