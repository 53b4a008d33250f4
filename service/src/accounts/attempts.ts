/**
 * Limits of failed sign-ins, counted in the store for all nodes. Each way in has its own budget, so that failures with one do not lock another. A
 * known browser (`device-cookie.ts`) has a separate budget, which strangers cannot use up.
 *
 * Errors: RATE_LIMITED with `retryAfterMs`, and those of the attempt.
 * Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SvcError } from '#sdk/protocol/errors';
import type { Store } from '../store/store';
import { clientNetwork } from './client-network';
import { type FailureBudget, limitFailures, requireLeft } from './failure-limits';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export interface SignInAttempt {
  /** `start` begins a sign-in with a passkey or at the provider; each one counts, since the store keeps it for minutes. */
  kind: 'password' | 'passkey' | 'provider' | 'password change' | 'link' | 'start';
  address: string;
  /** The browser, where it has signed in before: for `password`, to the account with this e-mail address. */
  device?: string | undefined;
  /** Required for `password`. */
  email?: string | undefined;
  /** Required for `password change`. */
  personId?: string | undefined;
}

export class Attempts {
  readonly #failures: Record<'address' | 'pair' | 'email' | 'device' | 'person' | 'personHour', RateLimiterAbstract>;
  readonly #links: RateLimiterAbstract;
  readonly #starts: RateLimiterAbstract;

  constructor(store: Pick<Store, 'counter'>) {
    this.#failures = {
      address: store.counter({ points: 30, seconds: MINUTE }),
      pair: store.counter({ points: 5, seconds: MINUTE }),
      email: store.counter({ points: 60, seconds: HOUR }),
      device: store.counter({ points: 10, seconds: HOUR }),
      person: store.counter({ points: 5, seconds: MINUTE }),
      personHour: store.counter({ points: 30, seconds: HOUR }),
    };
    this.#links = store.counter({ points: 20, seconds: MINUTE });
    this.#starts = store.counter({ points: 120, seconds: MINUTE });
  }

  /** @param hasFailed for an attempt that fails without an error */
  async run<Result>(attempt: SignInAttempt, action: () => Promise<Result>, hasFailed?: (result: Result) => boolean): Promise<Result> {
    const { kind, device } = attempt;
    if (kind === 'start') return limitFailures([this.#start(attempt)], action, () => true);
    if (device === undefined) return limitFailures(this.#budgets(attempt), action, hasFailed);
    let started = false;
    try {
      return await limitFailures(
        [{ limiter: this.#failures.device, key: `${kind} by ${device}` }],
        () => {
          started = true;
          return action();
        },
        hasFailed,
      );
    } catch (error) {
      if (started || !SvcError.is(error) || error.code !== 'RATE_LIMITED') throw error;
      // After too many failures, a known browser is a stranger.
      return limitFailures(this.#budgets(attempt), action, hasFailed);
    }
  }

  /** Counts nothing. */
  requireLeft(attempt: SignInAttempt): Promise<void> {
    return requireLeft(this.#budgets(attempt));
  }

  #budgets({ kind, address, email = '', personId = '' }: SignInAttempt): FailureBudget[] {
    const network = clientNetwork(address);
    const { address: byAddress, pair, email: byEmail, person, personHour } = this.#failures;
    if (kind === 'link') return [{ limiter: this.#links, key: `link ${network}` }];
    if (kind === 'password change')
      return [
        { limiter: person, key: `password change ${personId}` },
        { limiter: personHour, key: `password changes ${personId}` },
      ];
    const all = { limiter: byAddress, key: `${kind} ${network}` };
    if (kind !== 'password') return [all];
    const hash = createHash('sha256').update(email).digest('base64url');
    // The address first: above its own limit, it does not use up the attempts of the e-mail address.
    return [all, { limiter: pair, key: `password ${network} ${hash}` }, { limiter: byEmail, key: `password of ${hash}` }];
  }

  #start({ address, device }: SignInAttempt): FailureBudget {
    return { limiter: this.#starts, key: device === undefined ? `start ${clientNetwork(address)}` : `start by ${device}` };
  }
}
