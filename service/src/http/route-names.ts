/** Names of routes for the metrics: the paths of the declared routes, such as `/v1/actions/{id}`. Any other path is `other`. */
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import type { DocumentedRoute } from './define-route';

type Declared = readonly Pick<DocumentedRoute, 'path'>[];

/** Served without a declaration. */
const UNDECLARED = ['/', PATHS.openapi, PATHS.toolkitSocket];
/** One name for all paths below: better-auth's, and the metadata of each resource. */
const NAMED_WITH_ALL_BELOW = [ADMIN_PATHS.auth, PATHS.protectedResource];

export class RouteNames {
  readonly #plain = new Set<string>(UNDECLARED);
  readonly #withId: { path: string; pattern: RegExp }[] = [];

  /** Each time that routes are loaded. */
  add(routes: Declared): void {
    for (const path of new Set(routes.map((route) => route.path))) {
      if (path.includes('{')) this.#withId.push({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) });
      else this.#plain.add(path);
    }
  }

  of(url = ''): string {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const parent = NAMED_WITH_ALL_BELOW.find((above) => path.startsWith(`${above}/`));
    if (parent !== undefined) return parent;
    return this.#plain.has(path) ? path : (this.#withId.find(({ pattern }) => pattern.test(path))?.path ?? 'other');
  }
}
