/** People as an operator's program sees them, with a service or without one: also the way back in for an owner who can sign in no more. */
import type { Actor, ChangedPerson, CreatedInvitation, Person, RemovedPerson, Role } from '#sdk/protocol/admin';
import { Audit } from '../audit/audit';
import { KeyRing } from '../keys/key-ring';
import { type DataPlace, locationOf } from '../store/location';
import { openKeyStore } from '../store/open-store';
import { People } from './people';

/** People with an account. A person is named by id or e-mail. Rejects with SvcError NOT_FOUND, CONFLICT (the last owner) or INVALID_REQUEST. */
export interface StoredPeople {
  list(): Promise<Person[]>;
  /** Creates a link for a new account. The link is `<url>/join#<token>`; the answer is the only time that the token is shown. */
  invite(invitation: { role: Role; name?: string; expiresInDays?: number }): Promise<CreatedInvitation>;
  /** Creates a link for a new password of an account; it works for a day, once. */
  resetLink(person: string): Promise<CreatedInvitation>;
  /** Ends their sessions; a person who stops being an owner loses their admin keys. */
  changeRole(person: string, role: Role): Promise<ChangedPerson>;
  /** Their keys are revoked with them. */
  remove(person: string): Promise<RemovedPerson>;
  close(): Promise<void>;
}

const COMMAND_LINE: Actor = { kind: 'command', name: 'command line' };

/**
 * The people of a data directory, or of a database, with or without a service that runs on it; a running one follows at once.
 *
 * @param options.create false refuses a place without data, with NOT_FOUND, instead of making it
 */
export async function openPeople(data: DataPlace, { create = true }: { create?: boolean | undefined } = {}): Promise<StoredPeople> {
  const store = await openKeyStore(locationOf(data), { create });
  const people = new People({ store, keys: new KeyRing(store), audit: new Audit(store.audit) });
  return {
    list: () => people.list(),
    invite: (invitation) => people.invite(COMMAND_LINE, invitation),
    resetLink: (person) => people.invite(COMMAND_LINE, { person }),
    changeRole: (person, role) => people.changeRole(COMMAND_LINE, person, role),
    remove: (person) => people.remove(COMMAND_LINE, person),
    close: () => store.close(),
  };
}
