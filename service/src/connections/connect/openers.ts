/**
 * The right to connect an account for an owner. A link does not give it, since links are forwarded. An account of everyone, of an agent key or of a
 * person needs the session of its person in the console; that of an app's user needs the app's confirmation afterwards.
 */
import type { KeyRing } from '../../keys/key-ring';
import { readOwner } from '../owner';
import type { PageAddress } from './page-address';

/** A person with a session in the console. */
export interface SignedInOpener {
  id: string;
  name: string;
  role: 'owner' | 'member';
}

/** The browser at the connect page. */
export interface Opener {
  /** SHA-256 of its cookie. */
  browserHash: string | undefined;
  person: SignedInOpener | undefined;
}

/** `sign in`: a session is needed first. `other person`: the session is of a person without the right. */
export type OpenerAdmission = 'admitted' | 'sign in' | 'other person';

export interface OpenersDeps {
  keys: Pick<KeyRing, 'find' | 'records'>;
  address: PageAddress;
  /** People sign in to the console. */
  hasConsole: boolean;
}

export class Openers {
  readonly #deps: OpenersDeps;

  constructor(deps: OpenersDeps) {
    this.#deps = deps;
  }

  async admit(ownerText: string, toolkitIds: readonly string[], person: SignedInOpener | undefined): Promise<OpenerAdmission> {
    const owner = readOwner(ownerText);
    if (owner.kind === 'user') return 'admitted';
    if (!this.#deps.hasConsole) return this.#deps.address.isLoopback ? 'admitted' : 'other person';
    if (!person) return 'sign in';
    switch (owner.kind) {
      case 'person':
        return owner.personId === person.id ? 'admitted' : 'other person';
      case 'agent':
        return person.role === 'owner' || (await this.#deps.keys.find(owner.keyId))?.ownerId === person.id ? 'admitted' : 'other person';
      case 'everyone':
        return person.role === 'owner' || (await this.#ownsAll(person.id, toolkitIds)) ? 'admitted' : 'other person';
    }
  }

  /** True for the owner of keys of all these toolkits, who answers for what they do. */
  async #ownsAll(personId: string, toolkitIds: readonly string[]): Promise<boolean> {
    const own = (await this.#deps.keys.records(personId)).filter(({ revokedAt }) => revokedAt === null);
    return toolkitIds.every((id) => own.some(({ toolkitId }) => toolkitId === id));
  }
}
