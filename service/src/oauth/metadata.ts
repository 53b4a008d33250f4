/** The metadata of the authorization server: RFC 8414, with the members of RFC 9207 and of client ID metadata documents. */
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';

export const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** The scope of every token: what it may use is with its key. */
export const SCOPE = 'tools';
/** Asks for a refresh token, which every client gets. */
export const OFFLINE_SCOPE = 'offline_access';

export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: issuer + OAUTH_PATHS.authorize,
    token_endpoint: issuer + OAUTH_PATHS.oauthToken,
    registration_endpoint: issuer + OAUTH_PATHS.registerClient,
    revocation_endpoint: issuer + OAUTH_PATHS.revokeToken,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    scopes_supported: [SCOPE, OFFLINE_SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
