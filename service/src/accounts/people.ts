/**
 * Accounts, and the changes that owners make to them; the audit log has every change. The last owner cannot be demoted or removed, so that
 * an owner always exists.
 *
 * Errors: NOT_FOUND for an account that is not there, CONFLICT for the last owner, INVALID_REQUEST for a link that would last too long.
 */
import type { Actor, ChangedPerson, CreatedInvitation, CreateInvitationRequest, Person, RemovedPerson, Role } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { KeyKind } from '#sdk/protocol/http';
import type { Audit } from '../audit/audit';
import type { KeyRing } from '../keys/key-ring';
import type { AccountStore, PersonRecord } from '../store/console-store';
import { invitationFacts, toInvitation } from './invitation-info';
import { Invitations } from './invitations';
import { Logins } from './logins';
import { toPerson } from './person-info';

const ALL_KINDS: readonly KeyKind[] = ['agent', 'toolkit', 'admin'];

export interface PeopleDeps {
  store: { accounts: AccountStore };
  keys: Pick<KeyRing, 'find' | 'records' | 'revoke'>;
  audit: Audit;
}

export class People {
  readonly #accounts: AccountStore;
  readonly #keys: PeopleDeps['keys'];
  readonly #audit: Audit;
  readonly #invitations: Invitations;
  readonly #logins: Logins;

  constructor({ store, keys, audit }: PeopleDeps) {
    this.#accounts = store.accounts;
    this.#keys = keys;
    this.#audit = audit;
    this.#invitations = new Invitations(store.accounts);
    this.#logins = new Logins(store.accounts);
  }

  async list(): Promise<Person[]> {
    return (await this.#accounts.list()).map(toPerson);
  }

  /** Makes a one-time link; its token is in nothing but the answer. */
  async invite(actor: Actor, asked: CreateInvitationRequest): Promise<CreatedInvitation> {
    const invitation = 'person' in asked ? await this.#newPassword(asked) : asked;
    const { record, token } = await this.#invitations.invite({ ...invitation, madeBy: await this.#accountOf(actor) });
    await this.#audit.write(actor, 'invitation.create', record.id, invitationFacts(record));
    return { ...toInvitation(record), token };
  }

  /** Ends their sessions. A demoted owner loses their admin keys and their open links too. */
  async changeRole(actor: Actor, idOrEmail: string, role: Role): Promise<ChangedPerson> {
    const person = await this.find(idOrEmail);
    const { id } = person;
    if (role === person.role) return { ...toPerson(person), revokedKeys: [] };
    if (!(await this.#accounts.changeRole(id, role))) throw lastOwner(person, 'has to stay one');
    const revokedKeys = role === 'owner' ? [] : await this.#revokeKeys(id, ['admin']);
    if (role !== 'owner') await this.#withdrawLinks(actor, id);
    await this.#logins.endSessions(id);
    const details = { name: person.name, role: { from: person.role, to: role }, revokedKeys };
    await this.#audit.write(actor, 'person.role', id, details);
    return { ...toPerson({ ...person, role }), revokedKeys };
  }

  /** Removes sessions, logins and passkeys too; their keys are revoked, and their open links withdrawn. */
  async remove(actor: Actor, idOrEmail: string): Promise<RemovedPerson> {
    const person = await this.find(idOrEmail);
    const { id, name, email, role } = person;
    if (!(await this.#accounts.remove(id))) throw lastOwner(person, 'cannot be removed');
    const revokedKeys = await this.#revokeKeys(id, ALL_KINDS);
    await this.#withdrawLinks(actor, id);
    await this.#audit.write(actor, 'person.remove', id, { name, email, role, revokedKeys });
    return { revokedKeys };
  }

  /** Finds a person by id, or by e-mail. */
  async find(idOrEmail: string): Promise<PersonRecord> {
    const person = idOrEmail.includes('@')
      ? await this.#accounts.findByEmail(idOrEmail.trim().toLowerCase())
      : await this.#accounts.find(idOrEmail);
    if (!person) throw new SvcError('NOT_FOUND', `There is no account ${idOrEmail.slice(0, 100)}: list the people to see who there is`);
    return person;
  }

  async #newPassword({ person, ...asked }: { person: string; expiresInDays?: number }) {
    const { id, role, name } = await this.find(person);
    return { ...asked, personId: id, role, name };
  }

  /** A link that only owners may make would be their way back. */
  async #withdrawLinks(actor: Actor, madeBy: string): Promise<void> {
    const now = Date.now();
    const own = (await this.#accounts.invitations(now)).filter((invitation) => invitation.madeBy === madeBy);
    for (const record of own) {
      if (await this.#accounts.withdrawInvitation(record.id, now))
        await this.#audit.write(actor, 'invitation.withdraw', record.id, invitationFacts(record));
    }
  }

  async #accountOf({ kind, id }: Actor): Promise<string | null> {
    if (id === undefined) return null;
    return kind === 'person' ? id : ((await this.#keys.find(id))?.ownerId ?? null);
  }

  /** After the account itself has changed: from then on it can make no new ones. */
  async #revokeKeys(ownerId: string, kinds: readonly KeyKind[]): Promise<string[]> {
    const own = (await this.#keys.records(ownerId)).filter((key) => key.revokedAt === null && kinds.includes(key.kind));
    for (const { id } of own) await this.#keys.revoke(id);
    return own.map(({ id }) => id);
  }
}

function lastOwner({ name }: PersonRecord, what: string): SvcError {
  return new SvcError('CONFLICT', `${name} is the last owner and ${what}: make another person an owner first`);
}
