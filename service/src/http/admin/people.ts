/** `/v1/people`: the accounts, for owners. */
import { changedPerson, changePersonRequest, peoplePage, removedPerson } from '#sdk/protocol/admin-schemas';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Records } from '../../records/records';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';

const access = { owner: 'see and change who has an account' } as const;

export const peopleRoutes = [
  defineRoute({
    id: 'listPeople',
    summary: 'List accounts',
    method: 'GET',
    path: '/v1/people',
    access,
    answer: peoplePage,
    async handle(_, { people, keys }: AdminRouteDeps) {
      const active = await keys.activeCounts();
      return { people: (await people.list()).map((person) => ({ ...person, activeKeys: active.get(person.id) ?? 0 })) };
    },
  }),
  defineRoute({
    id: 'changePerson',
    summary: 'Change a role',
    method: 'PATCH',
    path: '/v1/people/{id}',
    access,
    body: changePersonRequest,
    answer: changedPerson,
    async handle({ principal, params, body }, { people, records }: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const changed = await people.changeRole(actorOf(principal), params.id, body.role);
      announce(records, changed.revokedKeys);
      return changed;
    },
  }),
  defineRoute({
    id: 'removePerson',
    summary: 'Remove an account, and revoke its keys',
    method: 'DELETE',
    path: '/v1/people/{id}',
    access,
    answer: removedPerson,
    async handle({ principal, params }, { people, records }: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const removed = await people.remove(actorOf(principal), params.id);
      announce(records, removed.revokedKeys);
      return removed;
    },
  }),
] as const;

function announce(records: Records, revokedKeys: readonly string[]): void {
  records.changed('people');
  if (revokedKeys.length > 0) records.changed('keys');
}
