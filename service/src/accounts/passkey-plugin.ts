/**
 * Passkeys with user verification: a fingerprint, face or PIN. A stolen security key alone is not enough to sign in.
 *
 * Source: WebAuthn Level 3, sections 7.1 and 7.2, step "if user verification was required". better-auth requests "preferred" and checks nothing.
 */
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth';
import { PASSKEY_TABLE } from './auth-tables';

/** better-auth's name for the cookie that binds a challenge to a browser. */
export const PASSKEY_COOKIE = 'passkey';

export function passkeyPlugin() {
  return passkey({
    rpName: 'svc-sdk',
    schema: { passkey: PASSKEY_TABLE },
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => requireVerified(verification.registrationInfo?.userVerified, 'BAD_REQUEST'),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerified(verification.authenticationInfo.userVerified, 'UNAUTHORIZED'),
    },
    advanced: { webAuthnChallengeCookie: PASSKEY_COOKIE },
  });
}

/** Only an `APIError` passes better-auth's own handler; `auth-error.ts` has the sentence for the person. */
function requireVerified(userVerified: boolean | undefined, status: 'BAD_REQUEST' | 'UNAUTHORIZED'): void {
  if (!userVerified) throw new APIError(status, { code: 'USER_NOT_VERIFIED' });
}
