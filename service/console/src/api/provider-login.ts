/** The link of the account to the person's identity at the OpenID provider. */
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { request } from './request';
import { signInWithOidc } from './sign-in';

const ACCOUNT_PAGE = '/account';

export const providerLoginQuery = queryOptions({
  queryKey: ['account', 'provider'],
  queryFn: ({ signal }) => request<{ linked: boolean }>(`${ADMIN_PATHS.auth}/provider-login`, { signal }),
});

/** Redirects to the provider, which returns to the account page. */
export async function linkProvider(): Promise<void> {
  // The service links an owner's account only after a fresh sign-in.
  await request(`${ADMIN_PATHS.auth}/confirm-sign-in`, { method: 'POST', body: {} });
  await signInWithOidc(ACCOUNT_PAGE, ACCOUNT_PAGE);
}

export async function unlinkProvider(): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/unlink-provider`, { method: 'POST', body: {} });
}
