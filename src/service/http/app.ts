/** Every route but the hot one, on hono. Errors become problem documents in exactly one place. */
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ADMIN_PATHS } from '../../protocol/admin';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { version } from '../version';
import type { Dispatch } from './admin/run-as-key';
import type { AppParts } from './app-parts';
import { catalogRoutes } from './catalog-routes';
import { consolePages } from './console-pages';
import { explainRoute } from './explain-route';
import { mcpRoutes } from './mcp-routes';
import { operatorRoutes } from './operator-routes';
import { problemAnswer, toSvcError } from './problem';
import { resolveRoute } from './resolve-route';
import { searchRoute } from './search-route';
import { tokenRoute } from './token-route';

/** What people and the console ask is loaded with the first request for it: no start waits for that. */
export function createApp(parts: AppParts): Hono {
  const app = newApp(parts);
  app.get(PATHS.openapi, compress(), async (context) => context.json((await import('./openapi')).openApi));
  app.route('/', operatorRoutes(parts));
  app.route('/', searchRoute(parts));
  app.route('/', explainRoute(parts));
  app.route('/', resolveRoute(parts));
  app.route('/', catalogRoutes(parts));
  app.route('/', tokenRoute(parts));
  let admin: Promise<Hono> | undefined;
  for (const path of [PATHS.keys, ...Object.values(ADMIN_PATHS)]) {
    app.all(`${path}/*`, async ({ req, env }) => {
      admin ??= loadAdmin(parts, (request, own) => app.fetch(request, own));
      return (await admin).fetch(req.raw, env);
    });
  }
  app.route(
    '/',
    mcpRoutes(parts, async (request, key) => app.fetch(request, { key })),
  );
  // After everything that has an address of its own.
  if (parts.console) app.route('/', consolePages());
  app.get('/', (context) => context.json({ service: 'svc-sdk', version, openapi: PATHS.openapi }));
  return app;
}

function newApp({ logger }: Pick<AppParts, 'logger'>): Hono {
  const app = new Hono();
  app.onError((error, context) => answerProblem(context, toSvcError(error, logger, context.req.path)));
  app.notFound((context) => {
    const message = `There is no ${context.req.method} ${context.req.path}; ${PATHS.openapi} lists what there is`;
    return answerProblem(context, new SvcError('NOT_FOUND', message));
  });
  return app;
}

async function loadAdmin(parts: AppParts, dispatch: Dispatch): Promise<Hono> {
  const { adminRoutes } = await import('./admin/admin-routes');
  return newApp(parts).route('/', adminRoutes(parts, dispatch));
}

function answerProblem(context: Context, error: SvcError): Response {
  const { status, headers, body } = problemAnswer(error);
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return context.newResponse(body, status as ContentfulStatusCode);
}
