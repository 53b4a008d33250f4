import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS, type ConsoleInfo, type Me } from '../../../src/protocol/admin';
import { request } from './request';

/** Who is signed in; NOT_SIGNED_IN when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>(ADMIN_PATHS.me, { signal }),
  staleTime: 60_000,
});

/** What the sign-in page has to know. */
export const consoleQuery = queryOptions({
  queryKey: ['console'],
  queryFn: ({ signal }) => request<ConsoleInfo>(ADMIN_PATHS.console, { signal }),
});
