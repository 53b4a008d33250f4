/**
 * The identity in an ID token: issuer and subject, as one text. Only both together name a person (OpenID Connect Core, sections 2 and 5.7).
 *
 * better-auth has verified the token's signature, `iss` (the one of the discovery document), `aud`, `exp`, `iat` and `nonce` by then. Section
 * 3.1.3.7 of OpenID Connect Core and section 4.3 of Discovery ask for more: `azp`, and the issuer that the operator named.
 */
import * as z from 'zod';
import type { OidcOptions } from './console-options';

const claims = z.object({
  iss: z.string(),
  // Section 2: at most 255 ASCII characters.
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
});

/** @throws Error for a missing token, or one that is not for this service; better-auth refuses the sign-in and logs the error */
export function oidcSubject(idToken: string | undefined, { issuer, clientId }: Pick<OidcOptions, 'issuer' | 'clientId'>): string {
  if (!idToken) throw new Error('The provider sent no ID token');
  const { iss, sub, aud, azp } = claims.parse(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()));
  if (withoutSlash(iss) !== withoutSlash(issuer)) throw new Error('The ID token is from another issuer');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
    throw new Error('The ID token is for several clients and names none of them');
  if (azp !== undefined && azp !== clientId) throw new Error('The ID token was issued to another client');
  return `${subjectPrefix(issuer)}${sub}`;
}

/** The part before the subject. */
export function subjectPrefix(issuer: string): string {
  return `${withoutSlash(issuer)} `;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
