/** The routes for agents, toolkits and operators, in the order of the OpenAPI document. */
import type { Hono } from 'hono';
import type { KeyKind } from '#sdk/protocol/http';
import type { AppDeps } from './app-deps';
import { catalogRoutes } from './catalog-routes';
import { connectionAppRoutes } from './connection-routes';
import type { Access, DocumentedRoute, Route } from './define-route';
import { explainRoute } from './explain-route';
import { handleRoutes } from './handle-routes';
import { invokeDeclaration } from './invoke-declaration';
import { mcpDeclarations } from './mcp-routes';
import { oauthDeclarations } from './oauth-routes';
import { operatorRoutes } from './operator-routes';
import type { RequestEnv } from './request-env';
import { resolveRoute } from './resolve-route';
import { runRoutes } from './run-routes';
import { searchRoute } from './search-on-hono';
import { type Gate, serveRoutes } from './serve-routes';
import { tokenRoute } from './token-route';
import { usageRoute } from './usage-route';

export const AGENT_ROUTES: readonly (DocumentedRoute | Route<AppDeps>)[] = [
  searchRoute,
  invokeDeclaration,
  resolveRoute,
  ...handleRoutes,
  ...runRoutes,
  usageRoute,
  tokenRoute,
  ...connectionAppRoutes,
  explainRoute,
  ...catalogRoutes,
  ...mcpDeclarations,
  ...oauthDeclarations,
  ...operatorRoutes,
];

/** Serves the routes with a handler in this file. */
export function serveAgentRoutes(app: Hono<RequestEnv>, deps: AppDeps): void {
  const served = AGENT_ROUTES.filter((route): route is Route<AppDeps> => 'handle' in route);
  serveRoutes(app, served, deps, agentGateOf(deps));
}

function agentGateOf({ gate }: Pick<AppDeps, 'gate'>): Gate<AppDeps> {
  return {
    async admit({ env, req, header }, { access }) {
      if (access === 'anyone') return {};
      // The service sends this request to itself, for an authenticated caller.
      if ('key' in env) return { key: env.key };
      const authorization = req.header('authorization');
      const setHeader = (name: string, value: string) => header(name, value);
      if (access === 'agent key') return { key: await gate.admitKey(authorization, setHeader) };
      return { key: await gate.admit(authorization, setHeader, kindsOf(access)) };
    },
    async again({ env }, { key }, { access }) {
      if (key === undefined) return {};
      return { key: 'key' in env ? key : await gate.again(key, kindsOf(access)) };
    },
  };
}

function kindsOf(access: Access): readonly KeyKind[] {
  return access === 'agent or toolkit' ? ['agent', 'toolkit'] : ['agent'];
}
