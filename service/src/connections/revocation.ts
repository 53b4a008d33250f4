/** Ends connections at once, and asks their providers to revoke the tokens: as well as it goes, since a provider may be away or offer no such thing. */
import type { ConnectionRecord } from '../store/connection-store';
import type { GrantRequests } from './grant-requests';
import type { StoredConnections } from './stored-connections';

/** `not asked`: the provider has no address for it, or no key of this service opens the secret. */
export type RevocationOutcome = 'revoked' | 'not asked' | 'failed';

export class Revocation {
  readonly #rows: StoredConnections;
  readonly #grants: Pick<GrantRequests, 'revoke'>;

  constructor(rows: StoredConnections, grants: Pick<GrantRequests, 'revoke'>) {
    this.#rows = rows;
    this.#grants = grants;
  }

  /** Undefined when there is no such connection. */
  async remove(id: string): Promise<RevocationOutcome | undefined> {
    const row = await this.#rows.store.remove(id);
    return row && this.revoke(row);
  }

  /** @param row already removed from the store */
  async revoke(row: ConnectionRecord): Promise<RevocationOutcome> {
    const secret = this.#rows.secretOf(row);
    if (secret?.type !== 'oauth2') return 'not asked';
    try {
      return (await this.#grants.revoke(row, secret)) ? 'revoked' : 'not asked';
    } catch {
      return 'failed';
    }
  }
}
