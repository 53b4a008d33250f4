/** `/v1/keys`, for admin keys. docs/protocol.md section 7. */
import { Hono } from 'hono';
import { z } from 'zod';
import { type CreatedKey, type CreateKeyRequest, type KeysPage, PATHS } from '../../protocol/http';
import type { AppParts } from './app-parts';
import { jsonBody } from './json-body';
import type { RequestEnv } from './request-env';

/** The key ring reads it itself: the same for HTTP, the command line and programs. */
const anyBody = z.unknown() as z.ZodType<CreateKeyRequest>;

export function keyRoutes({ keys, limits }: AppParts): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const path of [PATHS.keys, `${PATHS.keys}/*`]) {
    app.use(path, async (context, next) => {
      await keys.authenticate(context.req.header('authorization'), 'admin');
      await next();
    });
  }
  app.get(PATHS.keys, async (context) => context.json<KeysPage>({ keys: await keys.list() }));
  app.post(PATHS.keys, async (context) => context.json<CreatedKey>(await keys.create(await jsonBody(context, anyBody, limits)), 201));
  app.post(`${PATHS.keys}/:id/rotate`, async (context) => context.json<CreatedKey>(await keys.rotate(context.req.param('id'))));
  app.delete(`${PATHS.keys}/:id`, async (context) => {
    await keys.revoke(context.req.param('id'));
    return context.body(null, 204);
  });
  return app;
}
