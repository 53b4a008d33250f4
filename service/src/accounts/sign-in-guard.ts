/** Runs attempts to sign in: limits the failed ones, records them, and recognises browsers that have signed in before. */
import type { Audit } from '../audit/audit';
import type { Logger } from '../lib/logger';
import type { PersonRecord } from '../store/console-store';
import type { Store } from '../store/store';
import { Attempts, type SignInAttempt } from './attempts';
import type { ClientRequest } from './client-request';
import { deviceCookie, deviceOf, hasDeviceCookie } from './device-cookie';
import { FailedSignIns } from './failed-sign-ins';
import { isFailure } from './failure-limits';
import type { Logins } from './logins';

export interface SignInGuardDeps {
  store: Pick<Store, 'accounts' | 'counter'>;
  logins: Logins;
  audit: Audit;
  logger: Logger;
  publicUrl: string | undefined;
  /** The secret that signs cookies. */
  secret: () => Promise<string>;
}

/** An attempt as the request describes it. */
export interface GuardedAttempt extends Pick<SignInAttempt, 'kind' | 'email' | 'personId'> {
  /** The id of the passkey. */
  credentialId?: string | undefined;
}

export class SignInGuard {
  readonly #deps: SignInGuardDeps;
  readonly #attempts: Attempts;
  readonly #failed: FailedSignIns;

  constructor(deps: SignInGuardDeps) {
    this.#deps = deps;
    this.#attempts = new Attempts(deps.store);
    this.#failed = new FailedSignIns(deps);
  }

  /** @param hasFailed for an action that fails without an error */
  async run<Result>(
    attempt: GuardedAttempt,
    { request, clientAddress }: ClientRequest,
    action: () => Promise<Result>,
    hasFailed: (result: Result) => boolean = () => false,
  ): Promise<Result> {
    const recorded = async () => {
      try {
        const result = await action();
        if (hasFailed(result)) await this.#record(attempt, clientAddress);
        return result;
      } catch (error) {
        if (isFailure(error)) await this.#record(attempt, clientAddress);
        throw error;
      }
    };
    const device = await this.#knownDevice(attempt, request);
    return this.#attempts.run({ ...attempt, address: clientAddress, device }, recorded, hasFailed);
  }

  /** Counts nothing. @throws SvcError RATE_LIMITED */
  requireLeft(attempt: GuardedAttempt, { clientAddress }: ClientRequest): Promise<void> {
    return this.#attempts.requireLeft({ ...attempt, address: clientAddress });
  }

  /** The `Set-Cookie` header by which this browser is recognised later. */
  async remember(personId: string): Promise<string> {
    const { publicUrl, secret } = this.#deps;
    return deviceCookie(personId, { secret: await secret(), publicUrl });
  }

  async #knownDevice({ kind, email = '' }: GuardedAttempt, request: Request): Promise<string | undefined> {
    const { store, publicUrl, secret } = this.#deps;
    if (kind === 'link' || kind === 'password change' || !hasDeviceCookie(request, publicUrl)) return undefined;
    const device = deviceOf(request, { secret: await secret(), publicUrl });
    if (kind === 'password' && device && (await store.accounts.findByEmail(email))?.id !== device.personId) return undefined;
    return device?.nonce;
  }

  async #record(attempt: GuardedAttempt, address: string): Promise<void> {
    if (attempt.kind === 'start') return;
    await this.#failed.record({ by: attempt.kind, address, person: await this.#personOf(attempt) });
  }

  async #personOf({ email, personId, credentialId }: GuardedAttempt): Promise<PersonRecord | undefined> {
    const { accounts } = this.#deps.store;
    if (email !== undefined) return accounts.findByEmail(email);
    const id = personId ?? (credentialId === undefined ? undefined : await this.#deps.logins.ownerOfPasskey(credentialId));
    return id === undefined ? undefined : accounts.find(id);
  }
}
