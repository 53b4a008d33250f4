/** The service's decisions inside better-auth: which identities of the provider may sign in, and which logins and sessions end. */
import type { BetterAuthOptions, GenericEndpointContext } from 'better-auth';
import type { Role } from '#sdk/protocol/admin';
import type { AccountStore } from '../store/console-store';
import type { OidcOptions } from './console-options';
import { isFresh } from './fresh-sign-in';
import type { EndedLogins, Logins } from './logins';
import { OIDC_PROVIDER, type OidcRefusal, refusedToJoin, refusedToLink } from './oidc-gate';
import type { ProviderLogins } from './provider-logins';
import type { SignedIn } from './signed-in';

export interface AuthHooksDeps {
  store: Pick<AccountStore, 'find'>;
  logins: Logins;
  providerLogins: ProviderLogins;
  /** Undefined for the instance without the provider. */
  oidc: OidcOptions | undefined;
  /** Called when a sign-in at the provider has created an account. */
  onJoined: (person: SignedIn) => Promise<void>;
  /** Called after an identity of the provider was linked to an account. `ended` as `Logins.endFormerLogins` describes it. */
  onLinked: (personId: string, ended: EndedLogins | undefined) => Promise<void>;
}

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

export function identityGate({ store, logins, providerLogins, oidc }: AuthHooksDeps): ValidateUserInfo {
  return async ({ user, source: { action } }, context) => {
    // A linked identity keeps its account, also when its e-mail address changes.
    if (action === 'sign-in') return undefined;
    const refusal = !oidc || action === 'create-user' ? refusedToJoin(user, oidc ?? {}) : await refusedLink(user, oidc, context);
    return refusal && { error: refusal };
  };

  async function refusedLink(user: Parameters<ValidateUserInfo>[0]['user'], provider: OidcOptions, context: GenericEndpointContext) {
    const person = await store.find(String(user.id));
    // Removed in the meantime.
    if (!person) return 'not_invited' satisfies OidcRefusal;
    const session = await sessionOf(context, logins);
    return refusedToLink(
      user,
      {
        role: person.role,
        isLinked: await providerLogins.isLinked(person.id, provider.issuer),
        isSignedIn: session?.personId === person.id && isFresh(session.signedInAt),
      },
      provider,
    );
  }
}

export function databaseHooks({ logins, providerLogins, oidc, onJoined, onLinked }: AuthHooksDeps) {
  return {
    user: {
      create: { after: ({ id, name, email, role }) => onJoined({ id, name, email, role: role as Role }) },
    },
    account: {
      create: {
        before: async ({ userId }) => {
          if (oidc) await providerLogins.removeFormer(userId, oidc.issuer);
          return { data: { accessToken: null, refreshToken: null, idToken: null, scope: null } };
        },
        after: async ({ providerId, userId }, context) => {
          if (providerId === OIDC_PROVIDER) await onLinked(userId, await logins.endFormerLogins(userId, await sessionOf(context, logins)));
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
  } satisfies BetterAuthOptions['databaseHooks'];
}

async function sessionOf(context: GenericEndpointContext | null, logins: Logins) {
  const token = await tokenOf(context);
  return token === undefined ? undefined : logins.findSession(token);
}

/** Returns the token of the browser's session. */
async function tokenOf(context: GenericEndpointContext | null): Promise<string | undefined> {
  if (!context) return undefined;
  const { name } = context.context.authCookies.sessionToken;
  return (await context.getSignedCookie(name, context.context.secret)) || undefined;
}
