/** The allow list of better-auth's routes and of the members of their bodies. Nothing else reaches better-auth. */
import * as z from 'zod';
import { email } from './new-person';
import { OIDC_PROVIDER } from './oidc-gate';

export interface AuthRoute {
  /** The members of the body that are read; absent for requests without a body. */
  body?: z.ZodType<Record<string, unknown>>;
  /** Maximum size of the body. Default: 4,096. */
  bodyBytes?: number;
  /** The rate limit that its uses count against. */
  attempts?: 'password' | 'any';
  /** Whether its query is passed on. */
  query?: true;
  /** The part of the account that it changes, for the audit log. */
  changes?: 'password' | 'ways in';
  /** The way of signing in, for the audit log. */
  signsInWith?: 'password' | 'passkey' | 'OpenID provider';
  /** Exists only with an OpenID provider. */
  oidc?: true;
}

/** A passkey's answer has about two kilobytes; the certificates of some authenticators are longer. */
const PASSKEY_BYTES = 16 * 1024;
const text = z.string();
const passkeyName = text.max(100, 'may have at most 100 characters');
/** A page of the console: a path of this origin, which `//host` and `/\host` are not. */
const ownPath = text.regex(/^\/(?![/\\])/, 'must be a path that begins with one slash');

export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  'POST /sign-in/email': { body: z.object({ email, password: text }), attempts: 'password', signsInWith: 'password' },
  'POST /sign-out': { body: z.object({}) },
  'GET /get-session': {},
  'GET /list-sessions': {},
  'POST /revoke-session': { body: z.object({ token: text }), changes: 'ways in' },
  'POST /revoke-other-sessions': { body: z.object({}), changes: 'ways in' },
  'POST /change-password': {
    body: z
      .object({ currentPassword: text, newPassword: text })
      // Another person with the old password may be signed in.
      .transform((passwords) => ({ ...passwords, revokeOtherSessions: true })),
    attempts: 'any',
    changes: 'password',
  },
  'GET /passkey/generate-register-options': { attempts: 'any' },
  'POST /passkey/verify-registration': {
    body: z.object({ response: z.looseObject({}), name: passkeyName.optional() }),
    bodyBytes: PASSKEY_BYTES,
    changes: 'ways in',
  },
  'GET /passkey/generate-authenticate-options': { attempts: 'any' },
  'POST /passkey/verify-authentication': {
    body: z.object({ response: z.looseObject({}) }),
    bodyBytes: PASSKEY_BYTES,
    attempts: 'any',
    signsInWith: 'passkey',
  },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/update-passkey': { body: z.object({ id: text, name: passkeyName }), changes: 'ways in' },
  'POST /passkey/delete-passkey': { body: z.object({ id: text }), changes: 'ways in' },
  'POST /sign-in/social': {
    body: z
      .object({ callbackURL: ownPath.default('/') })
      .transform(({ callbackURL }) => ({ provider: OIDC_PROVIDER, callbackURL, disableRedirect: true })),
    attempts: 'any',
    oidc: true,
  },
  [`GET /callback/${OIDC_PROVIDER}`]: { query: true, attempts: 'any', signsInWith: 'OpenID provider', oidc: true },
};
