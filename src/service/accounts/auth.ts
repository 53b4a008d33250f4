/**
 * better-auth on the service's tables. Only this file and `auth-error.ts` use the library. It is loaded with the first sign-in or session.
 *
 * Disabled: sign-up (accounts come from invitations), its rate limits (the service's own count for all nodes), telemetry, stored provider tokens.
 * Tables:   times as ISO 8601 text and booleans as 0 or 1 on both engines, so better-auth treats both as SQLite.
 */
import { passkey } from '@better-auth/passkey';
import { betterAuth, type GenericEndpointContext } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { ADMIN_PATHS, type Role } from '../../protocol/admin';
import type { Logger } from '../lib/logger';
import type { AccountStore } from '../store/console-store';
import { toAuthError } from './auth-error';
import { CLIENT_ADDRESS_HEADER } from './auth-request';
import type { OidcOptions } from './console-options';
import { type EndedLogins, type Logins, newAccountId } from './logins';
import { PASSWORD_CHARS } from './new-password';
import { OIDC_PROVIDER, refusedAtGate } from './oidc-gate';
import { hashPassword, verifyPassword } from './password-hash';
import { cookieName, isSecure, sessionCookieName } from './session-cookie';

const DAY_SECONDS = 24 * 60 * 60;
const SESSION_DAYS = 7;
/** Precision of a session's "last seen": at most one write per session and minute. */
const SEEN_EVERY_MS = 60_000;
const PASSKEY_COOKIE = 'passkey';

export interface AuthDeps {
  store: Pick<AccountStore, 'tables'>;
  logins: Logins;
  secret: string;
  publicUrl: string | undefined;
  logger: Logger;
  /** Called when a sign-in at the provider has created an account. */
  onJoined: (person: SignedIn) => Promise<void>;
  /** The person from the provider has an older account, or a new one. `ended` as `Logins.endFormerLogins` describes it. */
  onLinked: (personId: string, ended: EndedLogins | undefined) => Promise<void>;
}

export interface SignedIn {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface Auth {
  /** @throws SvcError for every response without success */
  answer(request: Request): Promise<Response>;
  /** Returns undefined for a cookie without a valid session. Updates the session's "last seen", and does not extend it. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>;
  /** The cookies of a new session. */
  signIn(login: { email: string; password: string }, headers: Headers): Promise<Headers>;
}

export function openAuth({
  store,
  logins,
  secret,
  publicUrl,
  logger,
  onJoined,
  onLinked,
  oidc,
}: AuthDeps & { oidc?: OidcOptions | undefined }): Auth {
  const auth = betterAuth({
    appName: 'svc-sdk',
    // Any name of this machine will do without a public URL: the origin of a request, `csrf.ts` has checked before.
    baseURL: publicUrl ?? { allowedHosts: ['*'], protocol: 'auto' },
    basePath: ADMIN_PATHS.auth,
    secret,
    database: { db: store.tables, type: 'sqlite', transaction: false },
    user: {
      modelName: 'people',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: { role: { type: 'string', required: true, defaultValue: 'member', input: false } },
      validateUserInfo: ({ user, source: { action } }) => {
        const error = refusedAtGate(user, { action, allowedDomains: oidc?.allowedDomains });
        return error && { error };
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      updateAge: DAY_SECONDS,
    },
    account: {
      modelName: 'logins',
      fields: {
        userId: 'person_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      updateAccountOnSignIn: false,
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARS.least,
      maxPasswordLength: PASSWORD_CHARS.most,
      password: { hash: (password) => hashPassword(password), verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    databaseHooks: {
      user: {
        create: { after: ({ id, name, email, role }) => onJoined({ id, name, email, role: role as Role }) },
      },
      account: {
        create: {
          before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null, scope: null } }),
          after: async ({ providerId, userId }, context) => {
            if (providerId === OIDC_PROVIDER) await onLinked(userId, await logins.endFormerLogins(userId, await tokenOf(context)));
          },
        },
      },
      session: {
        create: {
          // A person who signs in has one session in this browser: the new one.
          after: async ({ token, userId }, context) => {
            const former = await tokenOf(context);
            if (former !== undefined && former !== token) await logins.endSession(former);
            await logins.endOldestSessions(userId);
          },
        },
      },
    },
    plugins: [
      passkey({
        rpName: 'svc-sdk',
        schema: {
          passkey: {
            modelName: 'passkeys',
            fields: {
              userId: 'person_id',
              publicKey: 'public_key',
              credentialID: 'credential_id',
              deviceType: 'device_type',
              backedUp: 'backed_up',
              createdAt: 'created_at',
            },
          },
        },
        advanced: { webAuthnChallengeCookie: PASSKEY_COOKIE },
      }),
      ...(oidc ? [oidcPlugin(oidc)] : []),
    ],
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(publicUrl) },
      cookies: {
        session_token: { name: sessionCookieName(publicUrl) },
        state: { name: cookieName('svc_oidc_state', publicUrl) },
        [PASSKEY_COOKIE]: { name: cookieName('svc_passkey', publicUrl) },
      },
      cookiePrefix: 'svc',
      database: { generateId: ({ model }) => newAccountId(model), validateSchema: false },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    experimental: { instrumentation: { enabled: false } },
    // An SvcError passes unchanged.
    onAPIError: { throw: true, errorURL: '/sign-in' },
    logger: {
      level: 'warn',
      disableColors: true,
      // Drops its other log fields: they may contain tokens.
      log: (level, message) => logger[level === 'error' ? 'error' : 'warn']({ from: 'better-auth' }, message),
    },
  });

  return {
    async answer(request) {
      const response = await auth.handler(request).catch((error: unknown) => {
        throw toAuthError(error);
      });
      if (response.status >= 400) throw toAuthError({ statusCode: response.status, body: await response.json().catch(() => undefined) });
      return response;
    },
    async signedIn(headers) {
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } }).catch((error: unknown) => {
        throw toAuthError(error);
      });
      if (!found) return undefined;
      const { token, updatedAt } = found.session;
      const now = Date.now();
      if (now - updatedAt.getTime() >= SEEN_EVERY_MS) await logins.sawSession(token, now);
      const { id, name, email, role } = found.user;
      return { id, name, email, role: role as Role };
    },
    async signIn(body, headers) {
      const answer = await auth.api.signInEmail({ body, headers, returnHeaders: true }).catch((error: unknown) => {
        throw toAuthError(error);
      });
      return answer.headers;
    },
  };
}

function oidcPlugin({ issuer, clientId, clientSecret, name }: OidcOptions) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        name,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        disableProviderLogout: true,
      },
    ],
  });
}

/** Returns the browser's current session. */
async function tokenOf(context: GenericEndpointContext | null): Promise<string | undefined> {
  if (!context) return undefined;
  const { name } = context.context.authCookies.sessionToken;
  return (await context.getSignedCookie(name, context.context.secret)) || undefined;
}
