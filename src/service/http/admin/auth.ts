/** `/v1/auth/*`: the account library's own routes. */
import { Hono } from 'hono';
import { ADMIN_PATHS } from '../../../protocol/admin';
import type { AdminDeps } from '../app-deps';
import type { RequestEnv } from '../request-env';
import { callerOf } from './admin-env';

export function authRoutes({ accounts }: AdminDeps): Hono<RequestEnv> {
  return new Hono<RequestEnv>().all(`${ADMIN_PATHS.auth}/*`, (context) => {
    const { request, clientAddress } = callerOf(context);
    return accounts.handle(request, clientAddress);
  });
}
