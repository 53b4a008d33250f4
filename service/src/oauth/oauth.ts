/** The authorization server of `/mcp`. Loaded with the first request that needs it. docs/protocol.md section 9. */
import type { Audit } from '../audit/audit';
import type { AgentTokens } from '../keys/agent-tokens';
import type { KeyRing } from '../keys/key-ring';
import { Signer } from '../keys/signer';
import type { Store } from '../store/store';
import { ClientDocuments } from './client-documents';
import { Clients } from './clients';
import { ConnectedApps } from './connected-apps';
import { Consents, type ConsentsDeps } from './consents';
import { registerClient } from './registered-clients';
import { TokenEndpoint } from './token-endpoint';

export interface OAuthDeps extends Pick<ConsentsDeps, 'settings'> {
  store: Pick<Store, 'settings' | 'oauth'>;
  keys: KeyRing;
  tokens: Pick<AgentTokens, 'mintForGrant' | 'grantOf'>;
  audit: Audit;
  accessTokenSeconds: number;
  privateClientHosts: readonly string[];
}

export class OAuth {
  readonly consents: Consents;
  readonly apps: ConnectedApps;
  readonly tokens: TokenEndpoint;
  readonly #signer: Signer;

  static async open(deps: OAuthDeps): Promise<OAuth> {
    return new OAuth(deps, await Signer.open(deps.store.settings));
  }

  private constructor(deps: OAuthDeps, signer: Signer) {
    const shared = { ...deps, store: deps.store.oauth, signer };
    this.#signer = signer;
    this.consents = new Consents({ ...shared, clients: new Clients(new ClientDocuments(deps.privateClientHosts), signer) });
    this.apps = new ConnectedApps(shared);
    this.tokens = new TokenEndpoint(shared);
  }

  register(body: unknown): object {
    return registerClient(body, this.#signer);
  }
}
