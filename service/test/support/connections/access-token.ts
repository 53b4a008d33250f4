/** An access token of an account at a provider, as an app has one after its user signed in. */
import { Provider } from '../../../src/connections/provider';
import { guardedFetch } from '../../../src/lib/guarded-fetch';
import type { OAuthProvider } from './oauth-provider';

const GUARD = { privateHosts: ['127.0.0.1'], deadlineMs: 30_000, maxBytes: 1_048_576 };

export async function accessToken(at: OAuthProvider, account: string): Promise<string> {
  const { authorizationUrl, tokenUrl, issuer, clientId, clientSecret } = at;
  const provider = new Provider(guardedFetch(GUARD));
  const ask = {
    endpoints: { authorizationUrl, tokenUrl, issuer },
    client: { clientId, clientSecret, authMethod: 'basic' },
    redirectUri: 'https://svc.example/cb',
    scopes: ['openid'],
  } as const;
  const { url, ...secrets } = await provider.authorize(ask);
  const { searchParams } = await at.signIn(url, account);
  return (await provider.exchange(ask, searchParams, secrets)).token;
}

/** The account of a token at the provider. Undefined for an unknown token. */
export async function accountOf({ accountUrl }: Pick<OAuthProvider, 'accountUrl'>, token: string): Promise<string | undefined> {
  const response = await fetch(accountUrl, { headers: { authorization: `Bearer ${token}` } });
  return response.ok ? ((await response.json()) as { sub: string }).sub : undefined;
}
