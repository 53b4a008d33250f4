/** Every route but the hot one, on hono. Errors become problem documents in exactly one place. */
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ADMIN_PATHS } from '../../protocol/admin';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { problemAnswer, toSvcError } from '../lib/problem';
import { version } from '../lib/version';
import type { Dispatch } from './admin/run-as-key';
import type { AppDeps } from './app-deps';
import { catalogRoutes } from './catalog-routes';
import { consolePages } from './console-pages';
import { explainRoute } from './explain-route';
import { mcpRoutes } from './mcp-routes';
import { operatorRoutes } from './operator-routes';
import { resolveRoute } from './resolve-route';
import { searchRoute } from './search-route';
import { tokenRoute } from './token-route';

/** What people and the console ask is loaded with the first request for it: no start waits for that. */
export function createApp(deps: AppDeps): Hono {
  const app = newApp(deps);
  let openApi: Promise<object> | undefined;
  app.get(PATHS.openapi, compress(), async (context) => {
    openApi ??= loadOpenApi();
    return context.json(await openApi);
  });
  app.route('/', operatorRoutes(deps));
  app.route('/', searchRoute(deps));
  app.route('/', explainRoute(deps));
  app.route('/', resolveRoute(deps));
  app.route('/', catalogRoutes(deps));
  app.route('/', tokenRoute(deps));
  let admin: Promise<Hono> | undefined;
  for (const path of [PATHS.keys, ...Object.values(ADMIN_PATHS)]) {
    app.all(`${path}/*`, async ({ req, env }) => {
      admin ??= loadAdmin(deps, (request, own) => app.fetch(request, own));
      return (await admin).fetch(req.raw, env);
    });
  }
  app.route(
    '/',
    mcpRoutes(deps, async (request, key) => app.fetch(request, { key })),
  );
  // After everything that has an address of its own.
  if (deps.console) app.route('/', consolePages());
  app.get('/', (context) => context.json({ service: 'svc-sdk', version, openapi: PATHS.openapi }));
  return app;
}

function newApp({ logger }: Pick<AppDeps, 'logger'>): Hono {
  const app = new Hono();
  app.onError((error, context) => answerProblem(context, toSvcError(error, logger, context.req.path)));
  app.notFound((context) => {
    const message = `There is no ${context.req.method} ${context.req.path}; ${PATHS.openapi} lists what there is`;
    return answerProblem(context, new SvcError('NOT_FOUND', message));
  });
  return app;
}

async function loadOpenApi(): Promise<object> {
  const [{ openApiDocument }, { ADMIN_ROUTES }] = await Promise.all([import('./openapi'), import('./admin/admin-routes')]);
  return openApiDocument(ADMIN_ROUTES);
}

async function loadAdmin(deps: AppDeps, dispatch: Dispatch): Promise<Hono> {
  const { adminApp } = await import('./admin/admin-routes');
  return newApp(deps).route('/', adminApp(deps, dispatch));
}

function answerProblem(context: Context, error: SvcError): Response {
  const { status, headers, body } = problemAnswer(error);
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return context.newResponse(body, status as ContentfulStatusCode);
}
