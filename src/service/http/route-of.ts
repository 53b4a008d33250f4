/** The route of a request as the API names it, such as `/v1/actions/{id}`: one of few, whatever callers ask for. */
import { PATHS } from '../../protocol/http';

const EXACT: ReadonlySet<string> = new Set([...Object.values(PATHS), '/']);
const WITH_ID = [PATHS.actions, PATHS.toolkits, PATHS.keys];

export function routeOf(url = ''): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (EXACT.has(path)) return path;
  const parent = WITH_ID.find((known) => path.startsWith(`${known}/`));
  if (parent === undefined) return path.startsWith(`${PATHS.protectedResource}/`) ? PATHS.protectedResource : 'other';
  return parent === PATHS.keys && path.endsWith('/rotate') ? `${parent}/{id}/rotate` : `${parent}/{id}`;
}
