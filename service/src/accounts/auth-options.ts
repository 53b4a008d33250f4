/**
 * The options of better-auth.
 *
 * Disabled: sign-up (invitations create accounts), its rate limits (the service's own count for all nodes), telemetry, stored provider tokens.
 */
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions } from 'better-auth';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { Logger } from '../lib/logger';
import type { AccountStore } from '../store/console-store';
import { type AuthHooksDeps, databaseHooks, identityGate } from './auth-hooks';
import { CLIENT_ADDRESS_HEADER } from './auth-request';
import { ACCOUNT_TABLE, SESSION_TABLE, USER_TABLE, VERIFICATION_TABLE } from './auth-tables';
import { withHashedSessions } from './hashed-sessions';
import { newAccountId } from './logins';
import { PASSWORD_CHARS } from './new-password';
import { oidcPlugin } from './oidc-plugin';
import { PASSKEY_COOKIE, passkeyPlugin } from './passkey-plugin';
import { hashPassword, verifyPassword } from './password-hash';
import { cookieName, isSecure, sessionCookieName } from './session-cookie';

const DAY_SECONDS = 24 * 60 * 60;
const SESSION_DAYS = 7;

export interface AuthDeps extends AuthHooksDeps {
  store: Pick<AccountStore, 'tables' | 'find'>;
  secret: string;
  publicUrl: string | undefined;
  logger: Logger;
}

export function authOptions(deps: AuthDeps) {
  const { store, secret, publicUrl, logger, oidc } = deps;
  return {
    appName: 'svc-sdk',
    // Any name of this machine will do without a public URL: `csrf.ts` has checked the origin of the request.
    baseURL: publicUrl ?? { allowedHosts: ['*'], protocol: 'auto' },
    basePath: ADMIN_PATHS.auth,
    secret,
    database: (options: BetterAuthOptions) =>
      withHashedSessions(kyselyAdapter(store.tables, { type: 'sqlite', transaction: false })(options)),
    user: { ...USER_TABLE, validateUserInfo: identityGate(deps) },
    // `fresh-sign-in.ts` has the age of a session that changes need.
    session: { ...SESSION_TABLE, expiresIn: SESSION_DAYS * DAY_SECONDS, updateAge: DAY_SECONDS, freshAge: 0 },
    account: { ...ACCOUNT_TABLE, updateAccountOnSignIn: false },
    verification: VERIFICATION_TABLE,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARS.least,
      maxPasswordLength: PASSWORD_CHARS.most,
      password: { hash: (password) => hashPassword(password), verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    databaseHooks: databaseHooks(deps),
    plugins: [passkeyPlugin(), ...(oidc ? [oidcPlugin(oidc)] : [])],
    advanced: advancedOptions(publicUrl),
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
  } satisfies BetterAuthOptions;
}

function advancedOptions(publicUrl: string | undefined) {
  return {
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
  } satisfies BetterAuthOptions['advanced'];
}
