/**
 * Pages to which the sign-in leads back and which the router must not open. The consent page: the router parses and writes every query anew, and the
 * service must read this page's as the app wrote it. The connect page and the catalogue: the service renders them.
 */
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';

/** @param href a path of this origin, with or without a query */
export function isOutsideRouter(href: string): boolean {
  const [path = ''] = href.split(/[?#]/, 1);
  return path === OAUTH_PATHS.authorize || path === '/catalogue' || /^\/(?:connections\/connect|catalogue)\//.test(path);
}
