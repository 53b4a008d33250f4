/** Which of better-auth's routes are there, and what is read of their bodies: nothing else reaches it. */
import * as z from 'zod';
import { email } from './new-person';
import { OIDC_PROVIDER } from './oidc-gate';

export interface AuthRoute {
  /** What is read of the body; absent for requests without one. */
  body?: z.ZodType<Record<string, unknown>>;
  /** Whom its uses are counted for. */
  attempts?: 'password' | 'any';
  /** Whether its query belongs to it. */
  query?: true;
  /** There only with an OpenID provider. */
  oidc?: true;
}

const text = z.string();
const passkeyName = text.max(100, 'may have at most 100 characters');
/** A page of the console: a path of this origin, which `//host` and `/\host` are not. */
const ownPath = text.regex(/^\/(?![/\\])/, 'must be a path that begins with one slash');

export const AUTH_ROUTES: Readonly<Record<string, AuthRoute>> = {
  'POST /sign-in/email': { body: z.object({ email, password: text }), attempts: 'password' },
  'POST /sign-out': { body: z.object({}) },
  'GET /get-session': {},
  'GET /list-sessions': {},
  'POST /revoke-session': { body: z.object({ token: text }) },
  'POST /revoke-other-sessions': { body: z.object({}) },
  'POST /change-password': {
    body: z
      .object({ currentPassword: text, newPassword: text })
      // Whoever knows the old password may be signed in somewhere.
      .transform((passwords) => ({ ...passwords, revokeOtherSessions: true })),
    attempts: 'any',
  },
  'GET /passkey/generate-register-options': { attempts: 'any' },
  'POST /passkey/verify-registration': { body: z.object({ response: z.looseObject({}), name: passkeyName.optional() }) },
  'GET /passkey/generate-authenticate-options': { attempts: 'any' },
  'POST /passkey/verify-authentication': { body: z.object({ response: z.looseObject({}) }), attempts: 'any' },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/update-passkey': { body: z.object({ id: text, name: passkeyName }) },
  'POST /passkey/delete-passkey': { body: z.object({ id: text }) },
  'POST /sign-in/social': {
    body: z
      .object({ callbackURL: ownPath.default('/') })
      .transform(({ callbackURL }) => ({ provider: OIDC_PROVIDER, callbackURL, disableRedirect: true })),
    attempts: 'any',
    oidc: true,
  },
  [`GET /callback/${OIDC_PROVIDER}`]: { query: true, attempts: 'any', oidc: true },
};
