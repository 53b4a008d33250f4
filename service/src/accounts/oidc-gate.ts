/** Decides which identities of an OpenID provider may create an account, or be linked to one. */
import type { Role } from '#sdk/protocol/admin';
import type { OidcOptions } from './console-options';

export const OIDC_PROVIDER = 'oidc';

/** A short word for the sign-in page's address. */
export type OidcRefusal = 'email_not_verified' | 'not_invited' | 'another_identity' | 'sign_in_to_link';

export interface ProviderIdentity {
  email?: string | null | undefined;
  emailVerified?: boolean | undefined;
}

/** The account with the e-mail address of the identity. */
export interface LinkTarget {
  role: Role;
  /** Whether another identity of this provider is linked to it. */
  isLinked: boolean;
  /** Whether the browser has a fresh sign-in to it. */
  isSignedIn: boolean;
}

/** Undefined when the identity may create an account. */
export function refusedToJoin(
  identity: ProviderIdentity,
  { allowedDomains = [] }: Pick<OidcOptions, 'allowedDomains'>,
): OidcRefusal | undefined {
  const { email, emailVerified } = identity;
  if (!email || emailVerified !== true) return 'email_not_verified';
  return isOf(email, allowedDomains) ? undefined : 'not_invited';
}

/** Undefined when the identity may be linked. Without domains, every account may be. An e-mail address alone is not enough for an owner's. */
export function refusedToLink(
  identity: ProviderIdentity,
  { role, isLinked, isSignedIn }: LinkTarget,
  { allowedDomains = [] }: Pick<OidcOptions, 'allowedDomains'>,
): OidcRefusal | undefined {
  const { email, emailVerified } = identity;
  if (!email || emailVerified !== true) return 'email_not_verified';
  if (allowedDomains.length > 0 && !isOf(email, allowedDomains)) return 'not_invited';
  if (isLinked) return 'another_identity';
  return role === 'owner' && !isSignedIn ? 'sign_in_to_link' : undefined;
}

function isOf(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
