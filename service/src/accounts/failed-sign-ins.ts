/**
 * Failed sign-ins, for the log and the audit log. Both leave out an e-mail address without an account: a person may have typed the password there.
 *
 * Audit: a few entries for each account and hour, or a stranger could fill it.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SvcError } from '#sdk/protocol/errors';
import type { Audit } from '../audit/audit';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { Logger } from '../lib/logger';
import type { Store } from '../store/store';
import type { SignedIn } from './signed-in';

const AUDITED_AN_HOUR = 10;

export interface FailedSignIn {
  /** Such as "passkey". */
  by: string;
  address: string;
  /** The account, if it is known. */
  person: Pick<SignedIn, 'id' | 'name'> | undefined;
}

export class FailedSignIns {
  readonly #audit: Audit;
  readonly #logger: Logger;
  readonly #audited: RateLimiterAbstract;

  constructor({ store, audit, logger }: { store: Pick<Store, 'counter'>; audit: Audit; logger: Logger }) {
    this.#audit = audit;
    this.#logger = logger;
    this.#audited = store.counter({ points: AUDITED_AN_HOUR, seconds: 3_600 });
  }

  async record({ by, address, person }: FailedSignIn): Promise<void> {
    this.#logger.warn({ by, address, ...(person && { account: person.id }) }, 'A sign-in failed');
    if (!person || !(await this.#mayAudit(person.id))) return;
    await this.#audit.write({ kind: 'address', name: address }, 'session.refuse', person.id, { name: person.name, by });
  }

  async #mayAudit(personId: string): Promise<boolean> {
    try {
      await consumeRateLimit(this.#audited, `failed sign-ins in the audit log ${personId}`, 'Too many failed sign-ins');
      return true;
    } catch (error) {
      if (SvcError.is(error) && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  }
}
