/** The logins at the OpenID provider, in the account library's table: at most one for each account. */
import { SvcError } from '#sdk/protocol/errors';
import type { AccountStore } from '../store/console-store';
import { OIDC_PROVIDER } from './oidc-gate';
import { subjectPrefix } from './oidc-subject';

/** Logins of versions before 0.8, which stored the subject alone. */
const WITHOUT_ISSUER = 'oidc-without-issuer';

export class ProviderLogins {
  readonly #store: Pick<AccountStore, 'tables'>;

  constructor(store: Pick<AccountStore, 'tables'>) {
    this.#store = store;
  }

  /** Adds the issuer to logins that were stored without it. */
  async adoptIssuer(issuer: string): Promise<void> {
    await this.#store.tables
      .updateTable('logins')
      .set(({ val, eb, ref }) => ({ provider_id: OIDC_PROVIDER, account_id: eb(val(subjectPrefix(issuer)), '||', ref('account_id')) }))
      .where('provider_id', '=', WITHOUT_ISSUER)
      .execute();
  }

  async isLinked(personId: string, issuer: string): Promise<boolean> {
    const login = await this.#of(personId).select('account_id').executeTakeFirst();
    return login?.account_id.startsWith(subjectPrefix(issuer)) ?? false;
  }

  /** Removes the login at a former provider, which the service no longer uses. */
  async removeFormer(personId: string, issuer: string): Promise<void> {
    if (!(await this.isLinked(personId, issuer))) await this.#remove(personId);
  }

  /** @throws SvcError CONFLICT when the person could sign in no more */
  async unlink(personId: string): Promise<void> {
    const { tables } = this.#store;
    const others = await tables
      .selectFrom('logins')
      .select('id')
      .where('person_id', '=', personId)
      .where('provider_id', '<>', OIDC_PROVIDER)
      .union(tables.selectFrom('passkeys').select('id').where('person_id', '=', personId))
      .execute();
    if (others.length === 0)
      throw new SvcError(
        'CONFLICT',
        'You sign in with the provider only: add a passkey first, or ask an owner for a link that sets a password',
      );
    await this.#remove(personId);
  }

  #of(personId: string) {
    return this.#store.tables.selectFrom('logins').where('person_id', '=', personId).where('provider_id', '=', OIDC_PROVIDER);
  }

  async #remove(personId: string): Promise<void> {
    await this.#store.tables.deleteFrom('logins').where('person_id', '=', personId).where('provider_id', '=', OIDC_PROVIDER).execute();
  }
}
