import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { AGENT_ROUTES } from './agent-routes';
import { createApp } from './app';
import type { AppDeps } from './app-deps';
import type { RouteNames } from './route-names';

/** Names the routes too, for the metrics. */
export function appListener(deps: AppDeps, routeNames: RouteNames): (request: IncomingMessage, response: ServerResponse) => unknown {
  routeNames.add(AGENT_ROUTES);
  return getRequestListener(createApp(deps, routeNames).fetch, { overrideGlobalObjects: false });
}
