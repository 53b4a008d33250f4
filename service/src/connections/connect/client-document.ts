import type { ConnectedToolkit } from '../call-connections';
import { clientName } from './connection-clients';
import type { PageAddress } from './page-address';

/** The service as a client of an MCP server's authorization server: draft-ietf-oauth-client-id-metadata-document. */
export function clientDocument({ id, name }: ConnectedToolkit, address: PageAddress): object {
  return {
    client_id: address.clientDocumentUrl(id),
    client_name: clientName(name),
    client_uri: address.requiredUrl,
    redirect_uris: [address.callbackUrl(id)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
