/** Stores an app's sign-in in memory, for both SDKs. */
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import type { SignInOptions } from './sdk-clients';

const REDIRECT = 'http://127.0.0.1:33999/callback';

export class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Probe',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl?: string;
  /** Addresses of consent pages that were opened. */
  readonly opened: URL[] = [];
  /** Parameters of the last redirect. */
  answer = new URLSearchParams();
  saved: OAuthTokens | undefined;
  client: OAuthClientInformationMixed | undefined;
  readonly #browser: SignInOptions['browser'];
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  constructor({ browser, document }: Omit<SignInOptions, 'mcpUrl'>) {
    this.#browser = browser;
    if (document !== undefined) this.clientMetadataUrl = document;
  }

  state() {
    return 'state-1';
  }

  clientInformation() {
    return this.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client;
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }

  /** The next request has a token that no service accepts, as if it had expired. */
  spoilAccessToken() {
    if (this.saved) this.saved = { ...this.saved, access_token: `${this.saved.access_token}x` };
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }

  discoveryState() {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }

  async redirectToAuthorization(address: URL) {
    this.opened.push(address);
    this.answer = new URL(await this.#browser(address.href)).searchParams;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (scope === 'all' || scope === 'tokens') this.saved = undefined;
    if (scope === 'all' || scope === 'client') this.client = undefined;
  }
}
