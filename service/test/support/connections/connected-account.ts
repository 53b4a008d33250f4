/** An account that is connected at a real provider, with a client that has no secret. */
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { Provider } from '../../../src/connections/provider';
import type { StoredConnections } from '../../../src/connections/stored-connections';
import { guardedFetch } from '../../../src/lib/guarded-fetch';
import type { ConnectionRecord } from '../../../src/store/connection-store';
import { anAccount } from './kept-rows';
import type { OAuthProvider } from './oauth-provider';

const REDIRECT = 'https://svc.example/cb';

export function oauthOf({ authorizationUrl, tokenUrl, revocationUrl }: OAuthProvider): ToolkitAuth {
  return { type: 'oauth2', from: 'user', authorizationUrl, tokenUrl, revocationUrl };
}

/** Signs in at the provider, and stores the tokens. */
export async function connectAccount(
  at: OAuthProvider,
  rows: StoredConnections,
  change: Partial<Parameters<typeof anAccount>[0]> = {},
): Promise<ConnectionRecord> {
  const { authorizationUrl, tokenUrl, revocationUrl, clientId } = at;
  const provider = new Provider(guardedFetch({ privateHosts: ['127.0.0.1'], deadlineMs: 10_000, maxBytes: 1_048_576 }));
  const ask = {
    endpoints: { authorizationUrl, tokenUrl },
    client: { clientId, authMethod: 'none' },
    redirectUri: REDIRECT,
    scopes: ['openid', 'repo'],
  } as const;
  const { url, ...secrets } = await provider.authorize(ask);
  const { searchParams } = await at.signIn(url, 'octocat');
  const { expiresInMs, scopes = '', ...tokens } = await provider.exchange(ask, searchParams, secrets);
  const secret = { type: 'oauth2', ...tokens, tokenUrl, revocationUrl, clientId } as const;
  return rows.keep(anAccount({ secret, scopes, expiresInMs, ...change }));
}

/** Whether the provider takes the access token. */
export async function isTaken({ accountUrl }: OAuthProvider, token: string | undefined): Promise<boolean> {
  const { status } = await fetch(accountUrl, { headers: { authorization: `Bearer ${token}` } });
  return status === 200;
}
