import { PATHS } from '#sdk/protocol/http';
import { OAuthError } from './oauth-error';

/**
 * The resources that a token may be for (RFC 8707): this service, with or without the path of `/mcp`.
 *
 * @throws OAuthError invalid_target
 */
export function requireOwnResource(parameters: URLSearchParams, origins: readonly string[]): void {
  const other = parameters.getAll('resource').find((resource) => !isOf(resource, origins));
  if (other === undefined) return;
  throw new OAuthError('invalid_target', `resource must be ${origins[0]}${PATHS.mcp}, not ${JSON.stringify(other.slice(0, 200))}`);
}

function isOf(resource: string, origins: readonly string[]): boolean {
  const url = URL.parse(resource);
  return (
    url !== null && !url.username && !url.password && !url.hash && origins.includes(url.origin) && /^\/(?:mcp\/?)?$/.test(url.pathname)
  );
}
