/** `GET /v1/console`: what the sign-in page has to know. Asks nobody who they are. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type ConsoleInfo } from '../../../protocol/admin';
import { version } from '../../lib/version';
import type { AdminDeps, AppDeps } from '../app-deps';

export function consoleInfoRoute({ store }: AppDeps, { accounts }: AdminDeps): Hono {
  return new Hono().get(ADMIN_PATHS.console, async (context) => {
    const setUp = (await store.accounts.list()).length > 0;
    return context.json<ConsoleInfo>({ version, setUp, signIn: accounts.signIn });
  });
}
