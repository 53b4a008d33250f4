/**
 * Checks that the grants of OAuth clients are live. The store is asked once a second for each grant in use, so a grant that ends at any node is
 * refused at all of them within a second, without a message between them.
 *
 * Errors: KEY_REVOKED for a grant that is not live. An error of the store is not remembered.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { OAuthStore } from '../store/oauth-store';

const CHECK_MS = 1_000;
/** An entry takes about a quarter of a kilobyte. */
const MAX_REMEMBERED = 10_000;

interface Check {
  /** Time of `performance`, since the time of the system may be changed. */
  at: number;
  /** Undefined after the check found the grant live. */
  result: Promise<void> | undefined;
}

export class GrantChecks {
  readonly #oauth: Pick<OAuthStore, 'useGrant'>;
  readonly #checks = new Map<string, Check>();

  constructor(oauth: Pick<OAuthStore, 'useGrant'>) {
    this.#oauth = oauth;
  }

  /** Rejects for a grant that is not live. Undefined for one that was live within the last second. */
  check(grantId: string, keyId: string): Promise<void> | undefined {
    const now = performance.now();
    const last = this.#checks.get(grantId);
    if (last && now - last.at < CHECK_MS) return last.result;
    if (!last && this.#checks.size >= MAX_REMEMBERED) this.#checks.delete(this.#checks.keys().next().value ?? '');
    const check: Check = { at: now, result: undefined };
    this.#checks.set(grantId, check);
    check.result = this.#requireLive(grantId, keyId, check);
    return check.result;
  }

  async #requireLive(grantId: string, keyId: string, check: Check): Promise<void> {
    const isLive = await this.#oauth.useGrant(grantId, Date.now()).catch((error: unknown) => {
      if (this.#checks.get(grantId) === check) this.#checks.delete(grantId);
      throw error;
    });
    if (!isLive) throw new SvcError('KEY_REVOKED', `The sign-in of this app, which uses key ${keyId}, has ended: sign in again in the app`);
    check.result = undefined;
  }
}
