/** The tables of the account library: people and their ways to sign in. */
import type { Kysely } from 'kysely';
import type { Role } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { randomBase62 } from '../keys/base62';
import type { AccountStore, AccountTables } from '../store/console-store';
import { hashSessionToken } from './hashed-sessions';

/** How better-auth names a login by password; its `account_id` is the person's id. */
const PASSWORD_PROVIDER = 'credential';
const ID_CHARS = 16;
/** Maximum of sessions of one person, above any number of browsers. */
const MAX_SESSIONS = 50;

const ID_PREFIXES: Record<string, string> = { user: 'per', session: 'ses', account: 'log', passkey: 'pas', verification: 'ver' };

/** An id for a row of one of better-auth's models. */
export function newAccountId(model: string): string {
  return `${ID_PREFIXES[model] ?? model}_${randomBase62(ID_CHARS)}`;
}

/** How a person gets in. */
export interface WaysIn {
  /** Whether an identity of the OpenID provider is linked. */
  hasProvider: boolean;
  /** Id -> name. */
  passkeys: ReadonlyMap<string, string>;
  /** Ids. */
  sessions: ReadonlySet<string>;
}

/** How many of each. */
export interface EndedLogins {
  passwords: number;
  passkeys: number;
  sessions: number;
}

export class Logins {
  readonly #store: AccountStore;

  constructor(store: AccountStore) {
    this.#store = store;
  }

  get #tables(): Kysely<AccountTables> {
    return this.#store.tables;
  }

  /** A new account that signs in with this password (its hash). CONFLICT for an e-mail that has one. */
  async addPerson({ name, email, role, password }: { name: string; email: string; role: Role; password: string }): Promise<string> {
    await this.requireFree(email);
    const id = newAccountId('user');
    const now = new Date().toISOString();
    try {
      await this.#tables
        .insertInto('people')
        // No mail is sent that could prove the address; what that means for a login at a provider, `endFormerLogins` sees to.
        .values({ id, name, email, email_verified: 1, image: null, role, created_at: now, updated_at: now })
        .execute();
    } catch (error) {
      await this.requireFree(email);
      throw error;
    }
    try {
      await this.#addPassword(id, password);
    } catch (error) {
      await this.#tables.deleteFrom('people').where('id', '=', id).execute();
      throw error;
    }
    return id;
  }

  async requireFree(email: string): Promise<void> {
    if (await this.#store.findByEmail(email))
      throw new SvcError('CONFLICT', `${email} has an account: sign in, or ask an owner for a link to a new password`);
  }

  async setPassword(personId: string, password: string): Promise<void> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('logins')
      .set({ password, updated_at: new Date().toISOString() })
      .where('person_id', '=', personId)
      .where('provider_id', '=', PASSWORD_PROVIDER)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) await this.#addPassword(personId, password);
  }

  async waysIn(personId: string): Promise<WaysIn> {
    const passkeys = await this.#tables.selectFrom('passkeys').select(['id', 'name']).where('person_id', '=', personId).execute();
    const sessions = await this.#tables.selectFrom('sessions').select('id').where('person_id', '=', personId).execute();
    const logins = await this.#tables.selectFrom('logins').select('provider_id').where('person_id', '=', personId).execute();
    return {
      hasProvider: logins.some(({ provider_id }) => provider_id !== PASSWORD_PROVIDER),
      passkeys: new Map(passkeys.map(({ id, name }) => [id, name ?? ''])),
      sessions: new Set(sessions.map(({ id }) => id)),
    };
  }

  async endSessions(personId: string): Promise<void> {
    await this.#tables.deleteFrom('sessions').where('person_id', '=', personId).execute();
  }

  /** Those beyond `MAX_SESSIONS`: who signs in again and again shall not fill the store. */
  async endOldestSessions(personId: string): Promise<void> {
    const own = this.#tables.selectFrom('sessions').select('id').where('person_id', '=', personId);
    const kept = own.orderBy('created_at', 'desc').orderBy('id').limit(MAX_SESSIONS);
    await this.#tables.deleteFrom('sessions').where('person_id', '=', personId).where('id', 'not in', kept).execute();
  }

  /** @param at milliseconds since 1970 */
  async sawSession(id: string, at: number): Promise<void> {
    await this.#tables
      .updateTable('sessions')
      .set({ updated_at: new Date(at).toISOString() })
      .where('id', '=', id)
      .execute();
  }

  /** Undefined for a session that has ended. */
  async findSession(token: string): Promise<{ personId: string; signedInAt: number } | undefined> {
    const row = await this.#tables
      .selectFrom('sessions')
      .select(['person_id', 'created_at'])
      .where('token', '=', hashSessionToken(token))
      .where('expires_at', '>', new Date().toISOString())
      .executeTakeFirst();
    return row && { personId: row.person_id, signedInAt: Date.parse(row.created_at) };
  }

  async endSession(token: string): Promise<void> {
    await this.#tables.deleteFrom('sessions').where('token', '=', hashSessionToken(token)).execute();
  }

  /** A session of another person stays. */
  async endSessionOf(personId: string, id: string): Promise<void> {
    await this.#tables.deleteFrom('sessions').where('person_id', '=', personId).where('id', '=', id).execute();
  }

  async endOtherSessions(personId: string, keptId: string): Promise<void> {
    await this.#tables.deleteFrom('sessions').where('person_id', '=', personId).where('id', '<>', keptId).execute();
  }

  /** The id of the account. */
  async ownerOfPasskey(credentialId: string): Promise<string | undefined> {
    const query = this.#tables.selectFrom('passkeys').select('person_id').where('credential_id', '=', credentialId);
    return (await query.executeTakeFirst())?.person_id;
  }

  /**
   * A provider has proved the owner of this account's e-mail, which was not proved before: another person may have created the account. So nothing that
   * was set before signs in any longer, except when the browser is signed in to the account (`session`).
   * Returns the ended sign-ins; undefined for that browser.
   */
  async endFormerLogins(personId: string, session: { personId: string } | undefined): Promise<EndedLogins | undefined> {
    if (session?.personId === personId) return undefined;
    const { passkeys, sessions } = await this.waysIn(personId);
    const logins = this.#tables.deleteFrom('logins').where('person_id', '=', personId).where('provider_id', '=', PASSWORD_PROVIDER);
    const { numDeletedRows } = await logins.executeTakeFirstOrThrow();
    await this.#tables.deleteFrom('passkeys').where('person_id', '=', personId).execute();
    await this.endSessions(personId);
    return { passwords: Number(numDeletedRows), passkeys: passkeys.size, sessions: sessions.size };
  }

  async #addPassword(personId: string, password: string): Promise<void> {
    const now = new Date().toISOString();
    await this.#tables
      .insertInto('logins')
      .values({
        id: newAccountId('account'),
        person_id: personId,
        account_id: personId,
        provider_id: PASSWORD_PROVIDER,
        password,
        created_at: now,
        updated_at: now,
      })
      .execute();
  }
}
