/** The instances of the account library, loaded by the first request that needs them. */
import { randomBytes } from 'node:crypto';
import { AUTH_SECRET } from '../store/console-store';
import type { Store } from '../store/store';
import type { Auth } from './auth';
import type { AuthDeps } from './auth-options';

export interface AuthInstancesDeps extends Omit<AuthDeps, 'store' | 'secret'> {
  store: Pick<Store, 'accounts' | 'settings'>;
}

export class AuthInstances {
  readonly #deps: AuthInstancesDeps;
  #secret: Promise<string> | undefined;
  #auth: Promise<Auth> | undefined;
  /** A separate instance: it loads the provider's metadata when it is created, and other requests must not wait for that. */
  #oidcAuth: Promise<Auth> | undefined;

  constructor(deps: AuthInstancesDeps) {
    this.#deps = deps;
  }

  open(): Promise<Auth> {
    this.#auth ??= this.#load({ ...this.#deps, oidc: undefined }).catch((error: unknown) => {
      this.#auth = undefined;
      throw error;
    });
    return this.#auth;
  }

  openOidc(): Promise<Auth> {
    this.#oidcAuth ??= this.#loadOidc().catch((error: unknown) => {
      this.#oidcAuth = undefined;
      throw error;
    });
    return this.#oidcAuth;
  }

  /** The secret that signs cookies: the same on all nodes. */
  secret(): Promise<string> {
    this.#secret ??= this.#readSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  async #loadOidc(): Promise<Auth> {
    const { oidc, providerLogins } = this.#deps;
    if (oidc) await providerLogins.adoptIssuer(oidc.issuer);
    return this.#load(this.#deps);
  }

  async #load({ store, ...deps }: AuthInstancesDeps): Promise<Auth> {
    const [{ openAuth }, secret] = await Promise.all([import('./auth'), this.secret()]);
    return openAuth({ ...deps, store: store.accounts, secret });
  }

  async #readSecret(): Promise<string> {
    const secret = await this.#deps.store.settings.putIfAbsent(AUTH_SECRET, randomBytes(32).toString('base64url'), Date.now());
    if (typeof secret !== 'string') throw new Error(`The setting ${AUTH_SECRET} is not a text`);
    return secret;
  }
}
