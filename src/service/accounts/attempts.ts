/**
 * Rate limits of sign-in attempts, counted in the store for all nodes. Behind a proxy all clients have the proxy's address: docs/console.md.
 *
 * Errors: RATE_LIMITED with `retryAfterMs`.
 */
import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { Store } from '../store/store';
import { clientNetwork } from './client-network';

const TOO_MANY = 'Too many attempts';

export class Attempts {
  readonly #byAddress: RateLimiterAbstract;
  readonly #byAddressAndEmail: RateLimiterAbstract;
  readonly #byEmail: RateLimiterAbstract;
  readonly #linksByAddress: RateLimiterAbstract;

  constructor(store: Pick<Store, 'counter'>) {
    this.#byAddress = store.counter({ points: 30, seconds: 60 });
    this.#byAddressAndEmail = store.counter({ points: 5, seconds: 60 });
    this.#byEmail = store.counter({ points: 60, seconds: 3600 });
    this.#linksByAddress = store.counter({ points: 20, seconds: 60 });
  }

  /** A password sign-in. An address above its own limit does not use up the attempts of the e-mail address, which are its owner's too. */
  async password(address: string, email: string): Promise<void> {
    const network = clientNetwork(address);
    const person = createHash('sha256').update(email).digest('base64url');
    await this.any(address);
    await consumeRateLimit(this.#byAddressAndEmail, `sign-in ${network} ${person}`, TOO_MANY);
    await consumeRateLimit(this.#byEmail, `sign-in of ${person}`, TOO_MANY);
  }

  /** A sign-in with a passkey or at the provider, or a signed-in person's proof of identity. */
  async any(address: string): Promise<void> {
    await consumeRateLimit(this.#byAddress, `sign-in ${clientNetwork(address)}`, TOO_MANY);
  }

  /** A use of a one-time link. */
  async link(address: string): Promise<void> {
    await consumeRateLimit(this.#linksByAddress, `link ${clientNetwork(address)}`, TOO_MANY);
  }
}
