/** The allow list of better-auth's routes and of the members of their bodies. Nothing else reaches better-auth. */
import * as z from 'zod';
import { email } from './new-person';
import { OIDC_PROVIDER } from './oidc-gate';
import { OWN_ANSWERS, type OwnAnswer } from './own-answers';
import type { GuardedAttempt } from './sign-in-guard';

export interface AuthRoute {
  /** The members of the body that are read; absent for requests without a body. */
  body?: z.ZodType<Record<string, unknown>>;
  /** Maximum size of the body. Default: 4,096. */
  bodyBytes?: number;
  /** The rate limit that its failures count against. */
  attempt?: GuardedAttempt['kind'];
  /** Whether its query is passed on. */
  query?: true;
  /** The part of the account that it changes, for the audit log. */
  changes?: 'password' | 'ways in';
  /** Whether it needs a fresh sign-in. */
  fresh?: true;
  /** The way of signing in, for the audit log. */
  signsInWith?: 'password' | 'passkey' | 'OpenID provider';
  /** Whether the session was deleted. better-auth answers success also when it could not delete it. */
  endsSession?: true;
  /** Exists only with an OpenID provider. */
  oidc?: true;
  /** The service's own answer, without better-auth. */
  own?: OwnAnswer;
}

/** A passkey's answer has about two kilobytes; the certificates of some authenticators are longer. */
const PASSKEY_BYTES = 16 * 1024;
/** The address of the consent page has the request of an app in its query. */
const PAGE_BYTES = 16 * 1024;
const text = z.string();
const passkeyName = text.max(100, 'may have at most 100 characters');
/** A page of the console: a path of this origin, which `//host` and `/\host` are not. */
const ownPath = text.regex(/^\/(?![/\\])/, 'must be a path that begins with one slash');

export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  'POST /sign-in/email': { body: z.object({ email, password: text }), attempt: 'password', signsInWith: 'password' },
  'POST /sign-out': { body: z.object({}), endsSession: true },
  'GET /get-session': {},
  'GET /list-sessions': {},
  'POST /revoke-session': { body: z.object({ id: text }), changes: 'ways in', own: OWN_ANSWERS.endSession },
  'POST /revoke-other-sessions': { body: z.object({}), changes: 'ways in', own: OWN_ANSWERS.endOtherSessions },
  'POST /change-password': {
    body: z
      .object({ currentPassword: text, newPassword: text })
      // Another person with the old password may be signed in.
      .transform((passwords) => ({ ...passwords, revokeOtherSessions: true })),
    attempt: 'password change',
    changes: 'password',
  },
  'GET /passkey/generate-register-options': { attempt: 'start', fresh: true },
  'POST /passkey/verify-registration': {
    body: z.object({ response: z.looseObject({}), name: passkeyName.optional() }),
    bodyBytes: PASSKEY_BYTES,
    changes: 'ways in',
    fresh: true,
  },
  'GET /passkey/generate-authenticate-options': { attempt: 'start' },
  'POST /passkey/verify-authentication': {
    body: z.object({ response: z.looseObject({}) }),
    bodyBytes: PASSKEY_BYTES,
    attempt: 'passkey',
    signsInWith: 'passkey',
  },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/update-passkey': { body: z.object({ id: text, name: passkeyName }), changes: 'ways in' },
  'POST /passkey/delete-passkey': { body: z.object({ id: text }), changes: 'ways in', fresh: true },
  'POST /sign-in/social': {
    body: z
      .object({ callbackURL: ownPath.default('/'), errorCallbackURL: ownPath.exactOptional() })
      .transform((pages) => ({ ...pages, provider: OIDC_PROVIDER, disableRedirect: true })),
    bodyBytes: PAGE_BYTES,
    attempt: 'start',
    oidc: true,
  },
  [`GET /callback/${OIDC_PROVIDER}`]: { query: true, attempt: 'provider', signsInWith: 'OpenID provider', oidc: true },
  'GET /provider-login': { own: OWN_ANSWERS.providerLogin },
  'POST /confirm-sign-in': { body: z.object({}), fresh: true, own: OWN_ANSWERS.confirmSignIn },
  'POST /unlink-provider': { body: z.object({}), changes: 'ways in', fresh: true, own: OWN_ANSWERS.unlinkProvider },
};
