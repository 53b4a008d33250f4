/** Requests about a grant to its provider, as the client that it was given to. */
import type { ConnectionRecord } from '../store/connection-store';
import type { OAuthGrant } from './kept-secret';
import type { Provider, ProviderClient, ProviderTokens } from './provider';

/** The clients of toolkits at their providers. */
export interface GrantClients {
  /** The client whose id the grant names. Undefined: it has no secret. */
  clientOf(toolkitId: string, grant: OAuthGrant): Promise<ProviderClient | undefined>;
}

export class GrantRequests {
  readonly #provider: Pick<Provider, 'refresh' | 'revoke'>;
  readonly #clients: GrantClients;

  constructor(provider: Pick<Provider, 'refresh' | 'revoke'>, clients: GrantClients) {
    this.#provider = provider;
    this.#clients = clients;
  }

  async refresh({ toolkitId }: Pick<ConnectionRecord, 'toolkitId'>, grant: OAuthGrant & { refreshToken: string }): Promise<ProviderTokens> {
    return this.#provider.refresh(grant, await this.#clientOf(toolkitId, grant));
  }

  /** False when the provider has no address for it. */
  async revoke({ toolkitId }: Pick<ConnectionRecord, 'toolkitId'>, grant: OAuthGrant): Promise<boolean> {
    if (grant.revocationUrl === undefined) return false;
    await this.#provider.revoke(grant.revocationUrl, grant.refreshToken ?? grant.token, await this.#clientOf(toolkitId, grant));
    return true;
  }

  async #clientOf(toolkitId: string, grant: OAuthGrant): Promise<ProviderClient> {
    return (await this.#clients.clientOf(toolkitId, grant)) ?? { clientId: grant.clientId, authMethod: 'none' };
  }
}
