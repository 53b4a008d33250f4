/** `/v1/keys`, for admin keys. docs/protocol.md section 7. */
import { Hono } from 'hono';
import { type CreatedKey, type KeysPage, PATHS } from '../../protocol/http';
import { createKeyRequest } from '../../protocol/schemas';
import type { AppParts } from './app';
import { jsonBody } from './json-body';

export function keyRoutes({ keys }: AppParts): Hono {
  const app = new Hono();
  for (const path of [PATHS.keys, `${PATHS.keys}/*`]) {
    app.use(path, async (context, next) => {
      await keys.authenticate(context.req.header('authorization'), 'admin');
      await next();
    });
  }
  app.get(PATHS.keys, async (context) => context.json<KeysPage>({ keys: await keys.list() }));
  app.post(PATHS.keys, async (context) => context.json<CreatedKey>(await keys.create(await jsonBody(context, createKeyRequest)), 201));
  app.post(`${PATHS.keys}/:id/rotate`, async (context) => context.json<CreatedKey>(await keys.rotate(context.req.param('id'))));
  app.delete(`${PATHS.keys}/:id`, async (context) => {
    await keys.revoke(context.req.param('id'));
    return context.body(null, 204);
  });
  return app;
}
