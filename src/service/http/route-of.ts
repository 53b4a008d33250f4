/** The route of a request as the API names it, such as `/v1/actions/{id}`: one of few, whatever callers ask for. */
import { ADMIN_PATHS } from '../../protocol/admin';
import { PATHS } from '../../protocol/http';

const { auth, stats, reports, ...others } = ADMIN_PATHS;
const REPORTED = [`${reports}/toolkits`, `${reports}/actions`];
const EXACT: ReadonlySet<string> = new Set([
  ...Object.values(PATHS),
  ...Object.values(others),
  ...['look', 'accept'].map((what) => `${others.invitations}/${what}`),
  ...['series', 'top', 'now'].map((what) => `${stats}/${what}`),
  `${reports}/toolkits`,
  '/',
]);
const WITH_ID = [PATHS.actions, PATHS.toolkits, PATHS.keys, others.people, others.invitations, others.invocations, ...REPORTED];
/** What can be done with a key. */
const WITH_KEY = ['rotate', 'search', 'resolve', 'invoke'];

export function routeOf(url = ''): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (EXACT.has(path)) return path;
  if (path.startsWith(`${auth}/`)) return auth;
  const parent = WITH_ID.find((known) => path.startsWith(`${known}/`));
  if (parent === undefined) return path.startsWith(`${PATHS.protectedResource}/`) ? PATHS.protectedResource : 'other';
  const done = parent === PATHS.keys ? WITH_KEY.find((what) => path.endsWith(`/${what}`)) : undefined;
  return done === undefined ? `${parent}/{id}` : `${parent}/{id}/${done}`;
}
