/** The paths of the authorization server. Apart from `PATHS`, which is in every program that imports the library. */
export const OAUTH_PATHS = {
  /** RFC 8414, and the name by which OpenID clients look for the same. */
  authorizationServer: '/.well-known/oauth-authorization-server',
  openIdConfiguration: '/.well-known/openid-configuration',
  /** A page of the console. */
  authorize: '/oauth/authorize',
  /** RFC 7591. */
  registerClient: '/oauth/register',
  oauthToken: '/oauth/token',
  /** RFC 7009. */
  revokeToken: '/oauth/revoke',
} as const;
