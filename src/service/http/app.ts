/** Every route but the hot one, on hono. Errors become problem documents in exactly one place. */
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { version } from '../version';
import { adminRoutes } from './admin/admin-routes';
import type { AppParts } from './app-parts';
import { catalogRoutes } from './catalog-routes';
import { consolePages } from './console-pages';
import { explainRoute } from './explain-route';
import { mcpRoutes } from './mcp-routes';
import { openApiDocument } from './openapi';
import { operatorRoutes } from './operator-routes';
import { problemAnswer, toSvcError } from './problem';
import { resolveRoute } from './resolve-route';
import { searchRoute } from './search-route';

export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.onError((error, context) => answerProblem(context, toSvcError(error, parts.logger, context.req.path)));
  app.notFound((context) => {
    const message = `There is no ${context.req.method} ${context.req.path}; ${PATHS.openapi} lists what there is`;
    return answerProblem(context, new SvcError('NOT_FOUND', message));
  });

  const openApi = openApiDocument();
  app.get(PATHS.openapi, (context) => context.json(openApi));
  app.route('/', operatorRoutes(parts));
  app.route('/', searchRoute(parts));
  app.route('/', explainRoute(parts));
  app.route('/', resolveRoute(parts));
  app.route('/', catalogRoutes(parts));
  app.route(
    '/',
    adminRoutes(parts, (request, env) => app.fetch(request, env)),
  );
  app.route(
    '/',
    mcpRoutes(parts, async (request, key) => app.fetch(request, { key })),
  );
  // After everything that has an address of its own.
  if (parts.console) app.route('/', consolePages());
  app.get('/', (context) => context.json({ service: 'svc-sdk', version, openapi: PATHS.openapi }));
  return app;
}

function answerProblem(context: Context, error: SvcError): Response {
  const { status, headers, body } = problemAnswer(error);
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return context.newResponse(body, status as ContentfulStatusCode);
}
