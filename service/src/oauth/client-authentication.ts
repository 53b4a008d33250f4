/** The client of a request at the token endpoint: RFC 6749 section 2.3.1, in the body or by Basic. */

import type { Signer } from '../keys/signer';
import { sha256Hex } from '../lib/sha256-hex';
import { ClientDocuments } from './client-documents';
import { OAuthError } from './oauth-error';
import { isSecretOf, readRegisteredClient } from './registered-clients';

/**
 * Returns the hash of the client's id. The document of a client is not read: the grant was made for its address.
 *
 * @throws OAuthError invalid_client
 */
export function authenticateClient(form: ReadonlyMap<string, string>, authorization: string | undefined, signer: Signer): string {
  const basic = readBasic(authorization);
  const id = form.get('client_id') ?? basic?.id;
  if (id === undefined) throw new OAuthError('invalid_client', 'The request has no client_id');
  if (basic && basic.id !== id) throw new OAuthError('invalid_client', 'client_id is another one than that of the Authorization header');
  if (ClientDocuments.isAddress(id)) return sha256Hex(id);
  const client = readRegisteredClient(id, signer);
  if (!client) throw new OAuthError('invalid_client', 'This service does not know the client: register it again');
  const secret = basic?.secret ?? form.get('client_secret') ?? '';
  if (client.authMethod !== 'none' && !isSecretOf(id, secret, signer))
    throw new OAuthError('invalid_client', 'The client secret is wrong: register the client again');
  return sha256Hex(id);
}

/** Both parts are form-encoded: RFC 6749 section 2.3.1. Clients that do not encode have no other characters in them. */
function readBasic(authorization: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const border = text.indexOf(':');
  return { id: decoded(text.slice(0, Math.max(0, border))), secret: decoded(text.slice(border + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
