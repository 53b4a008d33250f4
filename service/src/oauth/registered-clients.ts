/**
 * Dynamic client registration (RFC 7591) without a row: the client id holds what was registered, signed, and the secret is a MAC of the id. So
 * strangers fill no store, and each node knows each client.
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isEqual, type Signer } from '../keys/signer';
import type { Client } from './client';
import { AUTH_METHODS, SCOPE } from './metadata';
import { OAuthError } from './oauth-error';
import { requireRedirectUri } from './redirect-uris';

const CLIENT_PREFIX = 'svc_client_';
const MAX_ID_CHARS = 3_000;

const registration = z.object({
  redirect_uris: z.array(z.string()).min(1, 'must name at least one').max(10, 'may name at most 10'),
  client_name: z.string().max(200, 'may have at most 200 characters').optional(),
  token_endpoint_auth_method: z
    .enum(AUTH_METHODS, `must be one of ${AUTH_METHODS.join(', ')}`)
    .optional()
    .default('client_secret_basic'),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

const registered = z.object({ name: z.string(), redirectUris: z.array(z.string()), authMethod: z.enum(AUTH_METHODS) });

/** The answer of the registration endpoint. Members of the request that mean nothing here are not repeated. */
export function registerClient(body: unknown, signer: Signer): object {
  const parsed = registration.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OAuthError('invalid_client_metadata', `${issue?.path.join('.') || 'The body'} ${issue?.message ?? 'is not understood'}`);
  }
  const { redirect_uris: redirectUris, client_name: name = '', token_endpoint_auth_method: authMethod, ...asked } = parsed.data;
  for (const uri of redirectUris) requireRedirectUri(uri);
  if (asked.grant_types && !asked.grant_types.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must include authorization_code: a client acts for a person');
  if (asked.response_types && !asked.response_types.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must include code');
  // Two equal registrations must not have the same secret.
  const once = randomBytes(9).toString('base64url');
  const id = signer.sign(CLIENT_PREFIX + Buffer.from(JSON.stringify({ name, redirectUris, authMethod, once })).toString('base64url'));
  if (id.length > MAX_ID_CHARS)
    throw new OAuthError('invalid_client_metadata', 'The registration is too long: register fewer redirect_uris');
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1_000),
    ...(authMethod !== 'none' && { client_secret: secretOf(id, signer), client_secret_expires_at: 0 }),
    ...(parsed.data.client_name !== undefined && { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    scope: SCOPE,
  };
}

/** Undefined for an id that this service did not sign. */
export function readRegisteredClient(id: string, signer: Signer): Client | undefined {
  const signed = id.startsWith(CLIENT_PREFIX) ? signer.verify(id) : undefined;
  if (signed === undefined) return undefined;
  return { id, ...registered.parse(JSON.parse(Buffer.from(signed.slice(CLIENT_PREFIX.length), 'base64url').toString())) };
}

export function isSecretOf(id: string, secret: string, signer: Signer): boolean {
  return isEqual(secret, secretOf(id, signer));
}

function secretOf(id: string, signer: Signer): string {
  return signer.mac(`svc_secret_${id}`);
}
