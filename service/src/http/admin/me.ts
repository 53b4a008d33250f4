/** `GET /v1/console`: data of the sign-in page, without a session. `GET /v1/me`: the signed-in person. */
import type { Context } from 'hono';
import type { Me } from '#sdk/protocol/admin';
import { changePublisher, consoleInfo, me } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { toPerson } from '../../accounts/person-info';
import type { Principal } from '../../accounts/principal';
import { version } from '../../lib/version';
import type { AdminDeps, AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { originOf } from '../origin-of';

export const meRoutes = [
  defineRoute({
    id: 'getConsoleInfo',
    summary: 'The ways to sign in, and whether an account exists',
    method: 'GET',
    path: '/v1/console',
    access: 'anyone',
    answer: consoleInfo,
    async handle(_, { store, accounts }: AppDeps & AdminDeps) {
      return { version, setUp: (await store.accounts.list()).length > 0, signIn: accounts.signIn };
    },
  }),
  defineRoute({
    id: 'getMe',
    summary: 'The person or key of this request',
    method: 'GET',
    path: '/v1/me',
    access: 'person',
    answer: me,
    handle: ({ context, principal }, deps: AppDeps & AdminDeps) => describeMe(context, principal, deps),
  }),
  defineRoute({
    id: 'changePublisher',
    summary: "Show one's name in the catalogue, or hide it",
    method: 'PUT',
    path: '/v1/me/publisher',
    access: 'person',
    body: changePublisher,
    answer: me,
    async handle({ context, principal, body: { shown } }, deps: AppDeps & AdminDeps) {
      if (principal.kind === 'key') throw new SvcError('NOT_PERMITTED', 'An admin key has no name to show: sign in in the console');
      await deps.store.listings.setPublisher(principal.id, shown);
      return describeMe(context, principal, deps);
    },
  }),
] as const;

export async function describeMe(
  context: Context,
  { kind, id, role }: Principal,
  { store, currency, publicUrl }: Pick<AppDeps, 'store' | 'currency'> & Pick<AdminDeps, 'publicUrl'>,
): Promise<Me> {
  const url = publicUrl ?? originOf(context);
  if (kind === 'key') return { role, url, currency, version };
  const person = await store.accounts.find(id);
  if (!person) throw new SvcError('NOT_SIGNED_IN', 'This account is gone: ask an owner for an invitation');
  const publisher = (await store.listings.publishers()).includes(id);
  return { person: toPerson(person), role, url, currency, version, publisher };
}
