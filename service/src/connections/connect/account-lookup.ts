/** Asks a provider whose account a credential opens, once, so that people see which account they connected. */
import type { ToolkitAuth } from '#sdk/protocol/connections';
import type { Logger } from '../../lib/logger';
import type { KeptSecret } from '../kept-secret';
import type { Provider } from '../provider';
import { ProviderError } from '../provider-error';

/** '' when the toolkit names no address, and when the provider does not say. Rejects with ProviderError when it refuses the credential. */
export async function lookUpAccount(
  { account, ...auth }: ToolkitAuth,
  secret: KeptSecret,
  { provider, logger }: { provider: Pick<Provider, 'account'>; logger: Logger },
): Promise<string> {
  if (!account) return '';
  const url = new URL(account.url);
  const headers = headersOf(secret, auth, url);
  try {
    return (await provider.account({ url: url.href, field: account.field }, headers)) ?? '';
  } catch (error) {
    if (!(error instanceof ProviderError) || error.mender === 'user') throw error;
    logger.warn({ why: error.message }, 'cannot ask a provider for the name of an account');
    return '';
  }
}

/** Writes a key for the query into the address. */
function headersOf(
  secret: KeptSecret,
  { in: place = 'header', name = 'X-API-Key' }: Pick<ToolkitAuth, 'in' | 'name'>,
  url: URL,
): Record<string, string> {
  switch (secret.type) {
    case 'bearer':
    case 'oauth2':
      return { authorization: `Bearer ${secret.token}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${secret.username}:${secret.password}`).toString('base64')}` };
    case 'apiKey':
      if (place === 'header') return { [name]: secret.apiKey };
      url.searchParams.set(name, secret.apiKey);
      return {};
  }
}
