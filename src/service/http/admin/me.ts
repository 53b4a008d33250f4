/** `GET /v1/me`: who asks. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type Me } from '../../../protocol/admin';
import { SvcError } from '../../../protocol/errors';
import { toPerson } from '../../accounts/person-info';
import type { Principal } from '../../accounts/principal';
import { version } from '../../lib/version';
import type { AdminDeps, AppDeps } from '../app-deps';
import { originOf } from '../origin-of';
import { type AdminEnv, signedIn } from './admin-env';

export function meRoute(deps: AppDeps, { publicUrl }: AdminDeps): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get(ADMIN_PATHS.me, signedIn(deps), async (context) =>
    context.json<Me>(await describeMe(context.get('principal'), deps, publicUrl ?? originOf(context))),
  );
}

export async function describeMe({ kind, id, role }: Principal, { store }: Pick<AppDeps, 'store'>, url: string): Promise<Me> {
  if (kind === 'key') return { role, url, version };
  const person = await store.accounts.find(id);
  if (!person) throw new SvcError('NOT_SIGNED_IN', 'This account is gone: ask an owner for an invitation');
  return { person: toPerson(person), role, url, version };
}
