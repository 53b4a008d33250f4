/** The hono app: every route except the hot ones. Errors become problem documents in one place. */
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { toSvcError } from '../lib/problem';
import { version } from '../lib/version';
import type { Dispatch } from './admin/dispatch';
import { serveAgentRoutes } from './agent-routes';
import type { AppDeps } from './app-deps';
import { cataloguePages } from './catalogue-pages';
import { connectPages } from './connect-pages';
import { consolePages } from './console-pages';
import { mcpRoutes } from './mcp-routes';
import { authorizationServerRoutes } from './oauth-routes';
import type { RequestEnv } from './request-env';
import type { RouteNames } from './route-names';
import { routeProblem } from './route-problem';

/** Loads the admin API and the OpenAPI document with their first request, so that they do not slow down the start. */
export function createApp(deps: AppDeps, routeNames?: RouteNames): Hono<RequestEnv> {
  const app = newApp(deps);
  let openApi: Promise<object> | undefined;
  app.get(PATHS.openapi, compress(), async (context) => {
    openApi ??= loadOpenApi();
    return context.json(await openApi);
  });
  serveAgentRoutes(app, deps);
  let admin: Promise<Hono<RequestEnv>> | undefined;
  for (const path of [PATHS.keys, PATHS.approvals, ...Object.values(ADMIN_PATHS)]) {
    app.all(`${path}/*`, async ({ req, env }) => {
      admin ??= loadAdmin(deps, (request, own) => app.fetch(request, own), routeNames);
      return (await admin).fetch(req.raw, env);
    });
  }
  app.route(
    '/',
    mcpRoutes(deps, async (request, key) => app.fetch(request, { key })),
  );
  if (deps.admin) app.route('/', authorizationServerRoutes(deps, deps.admin));
  app.route('/', connectPages(deps));
  if (deps.admin) app.route('/', cataloguePages(deps, deps.admin));
  // The pages match every other path, so they come last.
  if (deps.console) app.route('/', consolePages(deps));
  app.get('/', (context) => context.json({ service: 'svc-sdk', version, openapi: PATHS.openapi }));
  return app;
}

function newApp({ logger }: Pick<AppDeps, 'logger'>): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.onError((error, context) => answerProblem(context, toSvcError(error, logger, context.req.path)));
  app.notFound((context) => {
    const message = `There is no ${context.req.method} ${context.req.path}; ${PATHS.openapi} lists all routes`;
    return answerProblem(context, new SvcError('NOT_FOUND', message));
  });
  return app;
}

async function loadOpenApi(): Promise<object> {
  const [{ openApiDocument }, { ADMIN_ROUTES }] = await Promise.all([import('./openapi'), import('./admin/admin-routes')]);
  return openApiDocument(ADMIN_ROUTES);
}

async function loadAdmin(deps: AppDeps, dispatch: Dispatch, routeNames: RouteNames | undefined): Promise<Hono<RequestEnv>> {
  const { ADMIN_ROUTES, adminApp } = await import('./admin/admin-routes');
  routeNames?.add(ADMIN_ROUTES);
  return newApp(deps).route('/', adminApp(deps, dispatch));
}

function answerProblem(context: Context, error: SvcError): Response {
  const { status, headers, body } = routeProblem(error);
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return context.newResponse(body, status as ContentfulStatusCode);
}
