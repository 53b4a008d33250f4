/** Sign-in by password, passkey or OpenID provider, and sign-out. Each sign-in sets a cookie that only the service reads. */
import { startAuthentication } from '@simplewebauthn/browser';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { ApiError, request } from './request';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export async function signInWithPassword(given: { email: string; password: string }): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/sign-in/email`, { method: 'POST', body: given });
}

/** @param offer waits until the person picks a passkey that the browser suggests in the e-mail field */
export async function signInWithPasskey({ offer = false } = {}): Promise<void> {
  const optionsJSON = await request<AuthenticationOptions>(`${ADMIN_PATHS.auth}/passkey/generate-authenticate-options`);
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: offer });
  await request(`${ADMIN_PATHS.auth}/passkey/verify-authentication`, { method: 'POST', body: { response } });
}

/** Redirects to the OpenID provider, which returns to `from`, or with `error` to `refusedAt`: by default the sign-in page. */
export async function signInWithOidc(from: string, refusedAt?: string): Promise<void> {
  const { url } = await request<{ url: string }>(`${ADMIN_PATHS.auth}/sign-in/social`, {
    method: 'POST',
    body: { callbackURL: from, ...(refusedAt !== undefined && { errorCallbackURL: refusedAt }) },
  });
  window.location.assign(url);
}

export async function signOut(): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/sign-out`, { method: 'POST', body: {} }).catch((error: unknown) => {
    // The session had ended already.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  });
}
