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
        mapProfileToUser: ({ email, email_verified, name }) => ({ ...toPerson(email, name), emailVerified: email_verified === true }),
      },
    ],
  });
}

/**
 * better-auth refuses a sign-in without an e-mail address. One with spaces around it is none: another person may have it at the provider. Of
 * `email_verified` better-auth would take the text "true", and a claim `emailVerified` in its place; OpenID Connect has a boolean.
 *
 * Source: OpenID Connect Core 1.0, section 5.1.
 */
function toPerson(email: unknown, name: unknown): { email: string | undefined; name: string | undefined } {
  const isTrimmed = typeof email === 'string' && email === email.trim();
  const known = isTrimmed ? personEmail.safeParse(email).data : undefined;
  return { email: known, name: cleanName(name) ?? known?.split('@')[0] };
}
