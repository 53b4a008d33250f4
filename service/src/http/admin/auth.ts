/** `/v1/auth/*`: better-auth's own routes. They are not in the OpenAPI document; docs/protocol.md section 10 names those in use. */
import { Hono } from 'hono';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { AdminDeps, AppDeps } from '../app-deps';
import { clientRequest } from '../client-request';
import { requireKnownHost } from '../known-host';
import type { RequestEnv } from '../request-env';

export function auth({ accounts }: Pick<AdminDeps, 'accounts'>, deps: Pick<AppDeps, 'hosts' | 'admin'>): Hono<RequestEnv> {
  return new Hono<RequestEnv>().all(`${ADMIN_PATHS.auth}/*`, (context) => {
    requireKnownHost(context.req.header('host'), deps);
    const { request, clientAddress } = clientRequest(context);
    return accounts.handle(request, clientAddress);
  });
}
