import { GuardedFetchError } from '../lib/guarded-fetch';
import { providerFailure } from './provider-error';

/** Rejects with ProviderError when the request to this address cannot be made or gets no whole answer. */
export async function reachProvider(url: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof GuardedFetchError) throw providerFailure(new URL(url).host, `cannot be reached: ${error.message}`, error);
    throw error;
  }
}
