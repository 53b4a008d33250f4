/** `/v1/people`: who has an account, for owners. The last owner stays one, so that there is always somebody who can do what only owners may. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type ChangedPerson, type PeoplePage, type RemovedPerson } from '../../../protocol/admin';
import { changePersonRequest } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import type { PersonRecord } from '../../store/console-store';
import type { KeyKind } from '../../store/store';
import type { AdminParts, AppParts } from '../app-parts';
import { jsonBody } from '../json-body';
import { type AdminEnv, actorOf, ownersOnly, signedIn } from './admin-env';
import { toPerson } from './person';

const ALL_KINDS: readonly KeyKind[] = ['agent', 'toolkit', 'admin'];

export function peopleRoutes(parts: AppParts, { accounts, records }: AdminParts): Hono<AdminEnv> {
  const { store, keys, audit, limits } = parts;
  const app = new Hono<AdminEnv>();
  const one = `${ADMIN_PATHS.people}/:id` as const;
  for (const path of [ADMIN_PATHS.people, one]) app.use(path, signedIn(parts), ownersOnly('see and change who has an account'));

  const requirePerson = async (id: string): Promise<PersonRecord> => {
    const person = await store.accounts.find(id);
    if (!person) throw new SvcError('NOT_FOUND', `There is no account ${id.slice(0, 100)}: list the people to see who there is`);
    return person;
  };
  /** After the account itself has changed: from then on it can make no new ones. */
  const revokeKeys = async (ownerId: string, kinds: readonly KeyKind[]): Promise<string[]> => {
    const own = (await keys.records()).filter((key) => key.ownerId === ownerId && key.revokedAt === null && kinds.includes(key.kind));
    for (const { id } of own) await keys.revoke(id);
    if (own.length > 0) records.changed('keys');
    return own.map(({ id }) => id);
  };

  app.get(ADMIN_PATHS.people, async (context) => context.json<PeoplePage>({ people: (await store.accounts.list()).map(toPerson) }));

  app.patch(one, async (context) => {
    const person = await requirePerson(context.req.param('id'));
    const { role } = await jsonBody(context, changePersonRequest, limits);
    if (role === person.role) return context.json<ChangedPerson>({ ...toPerson(person), revokedKeys: [] });
    if (!(await store.accounts.changeRole(person.id, role))) throw lastOwner(person, 'has to stay one');
    const revokedKeys = role === 'owner' ? [] : await revokeKeys(person.id, ['admin']);
    await accounts.endSessions(person.id);
    const details = { name: person.name, role: { from: person.role, to: role }, revokedKeys };
    await audit.write(actorOf(context.get('principal')), 'person.role', person.id, details);
    records.changed('people');
    return context.json<ChangedPerson>({ ...toPerson({ ...person, role }), revokedKeys });
  });

  app.delete(one, async (context) => {
    const person = await requirePerson(context.req.param('id'));
    if (!(await store.accounts.remove(person.id))) throw lastOwner(person, 'cannot be removed');
    const revokedKeys = await revokeKeys(person.id, ALL_KINDS);
    const details = { name: person.name, email: person.email, role: person.role, revokedKeys };
    await audit.write(actorOf(context.get('principal')), 'person.remove', person.id, details);
    records.changed('people');
    return context.json<RemovedPerson>({ revokedKeys });
  });
  return app;
}

function lastOwner({ name }: PersonRecord, what: string): SvcError {
  return new SvcError('CONFLICT', `${name} is the last owner and ${what}: make somebody else an owner first`);
}
