/** The OpenID provider as better-auth's generic OAuth provider: code flow with PKCE and a nonce. */
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { OidcOptions } from './console-options';
import { cleanName, email as personEmail } from './new-person';
import { OIDC_PROVIDER } from './oidc-gate';
import { oidcSubject } from './oidc-subject';

export function oidcPlugin(oidc: OidcOptions) {
  const { issuer, clientId, clientSecret, name } = oidc;
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
        accountSubject: ({ tokens }) => oidcSubject(tokens.idToken, oidc),
        mapProfileToUser: ({ email, name }) => toPerson(email, name),
      },
    ],
  });
}

/** better-auth refuses a sign-in without an e-mail address. */
function toPerson(email: unknown, name: unknown): { email: string | undefined; name: string | undefined } {
  const known = personEmail.safeParse(email).data;
  return { email: known, name: cleanName(name) ?? known?.split('@')[0] };
}
