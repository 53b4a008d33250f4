/** Decides who may sign in from an OpenID provider: only people with a verified e-mail, and without an account only from some domains. */
import type { OidcOptions } from './console-options';

export const OIDC_PROVIDER = 'oidc';

export interface ProviderIdentity {
  email?: string | null | undefined;
  emailVerified?: boolean | undefined;
}

/** A short word for the sign-in page's address; undefined when they may. */
export function refusedAtGate(
  { email, emailVerified }: ProviderIdentity,
  { action, allowedDomains = [] }: { action: 'create-user' | 'link-account' | 'sign-in' } & Pick<OidcOptions, 'allowedDomains'>,
): 'email_not_verified' | 'not_invited' | undefined {
  // Once linked it is the provider's name for the person that counts, which does not change with the address.
  if (action === 'sign-in') return undefined;
  if (!email || emailVerified !== true) return 'email_not_verified';
  if (action === 'link-account') return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return allowedDomains.includes(domain) ? undefined : 'not_invited';
}
