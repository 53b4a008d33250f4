/** `/v1/people`: who has an account, for owners. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type ChangedPerson, type PeoplePage, type RemovedPerson } from '../../../protocol/admin';
import { changePersonRequest } from '../../../protocol/admin-schemas';
import { People } from '../../accounts/people';
import type { AdminDeps, AppDeps } from '../app-deps';
import { type AdminEnv, actorOf, changeBody, ownersOnly, signedIn } from './admin-env';

export function peopleRoutes(deps: AppDeps, { records }: AdminDeps): Hono<AdminEnv> {
  const people = new People(deps);
  const app = new Hono<AdminEnv>();
  const one = `${ADMIN_PATHS.people}/:id` as const;
  for (const path of [ADMIN_PATHS.people, one]) app.use(path, signedIn(deps), ownersOnly('see and change who has an account'));
  const changed = (revokedKeys: readonly string[]) => {
    records.changed('people');
    if (revokedKeys.length > 0) records.changed('keys');
  };

  app.get(ADMIN_PATHS.people, async (context) => context.json<PeoplePage>({ people: await people.list() }));

  app.patch(one, async (context) => {
    const { role } = await changeBody(context, changePersonRequest, deps);
    const person = await people.changeRole(actorOf(context.get('principal')), context.req.param('id'), role);
    changed(person.revokedKeys);
    return context.json<ChangedPerson>(person);
  });

  app.delete(one, async (context) => {
    const removed = await people.remove(actorOf(context.get('principal')), context.req.param('id'));
    changed(removed.revokedKeys);
    return context.json<RemovedPerson>(removed);
  });
  return app;
}
