/**
 * People's changes of their own accounts, for the audit. It includes successful sign-ins; any stranger could fill it with failed ones.
 *
 * Errors: as `Audit` has them.
 */
import type { AuditEntry } from '#sdk/protocol/admin';
import type { Audit } from '../audit/audit';
import type { EndedLogins, Logins, WaysIn } from './logins';
import type { SignedIn } from './signed-in';

type OwnChange = Pick<AuditEntry, 'what' | 'subject' | 'details'>;

export class OwnAudit {
  readonly #audit: Audit;
  readonly #logins: Logins;

  constructor(audit: Audit, logins: Logins) {
    this.#audit = audit;
    this.#logins = logins;
  }

  joined(person: SignedIn): Promise<void> {
    return this.#write(person, 'person.join', factsOf(person));
  }

  passwordChanged(person: SignedIn): Promise<void> {
    return this.#write(person, 'person.password', factsOf(person));
  }

  /** @param by such as "passkey" */
  signedIn(person: SignedIn, by: string, address: string): Promise<void> {
    return this.#write(person, 'session.begin', { by, address });
  }

  /** The first sign-in at a provider. `ended` as `Logins.endFormerLogins` describes it: an account that was just made had nothing that could end. */
  async linked(person: Pick<SignedIn, 'id' | 'name'>, ended: EndedLogins | undefined): Promise<void> {
    const lost = Object.entries(ended ?? {}).filter(([, count]) => count > 0);
    if (ended && lost.length === 0) return;
    await this.#write(person, 'person.link', { ended: lost.map(([what, count]) => `${what} (${count})`) });
  }

  /** Reads the ways to sign in of an account; the returned function records which of them have changed by then. */
  async watch({ id, name }: SignedIn): Promise<() => Promise<void>> {
    const before = await this.#logins.waysIn(id);
    return async () => {
      for (const { what, subject, details } of changesOf(id, before, await this.#logins.waysIn(id)))
        await this.#audit.write({ kind: 'person', id, name }, what, subject, details);
    };
  }

  async #write({ id, name }: Pick<SignedIn, 'id' | 'name'>, what: AuditEntry['what'], details: AuditEntry['details']): Promise<void> {
    await this.#audit.write({ kind: 'person', id, name }, what, id, details);
  }
}

function factsOf({ name, email, role }: SignedIn): AuditEntry['details'] {
  return { name, email, role };
}

function changesOf(personId: string, before: WaysIn, now: WaysIn): OwnChange[] {
  const changes: OwnChange[] = [];
  for (const [subject, name] of now.passkeys) {
    const from = before.passkeys.get(subject);
    if (from === undefined) changes.push({ what: 'passkey.add', subject, details: { name } });
    else if (from !== name) changes.push({ what: 'passkey.rename', subject, details: { from: { name: from }, to: { name } } });
  }
  for (const [subject, name] of before.passkeys)
    if (!now.passkeys.has(subject)) changes.push({ what: 'passkey.remove', subject, details: { name } });
  if (before.hasProvider && !now.hasProvider) changes.push({ what: 'person.unlink', subject: personId, details: {} });
  const ended = [...before.sessions].filter((id) => !now.sessions.has(id)).length;
  if (ended > 0) changes.push({ what: 'session.end', subject: personId, details: { sessions: ended } });
  return changes;
}
