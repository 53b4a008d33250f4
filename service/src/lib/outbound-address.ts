/** Addresses that people name for requests of the service. */
import { SvcError } from '#sdk/protocol/errors';

const MAX_URL_CHARS = 2_048;

/**
 * @param name of the setting, for errors
 * @param plainHosts hosts that may have no TLS
 * @throws SvcError INVALID_REQUEST, without the address
 */
export function outboundAddress(name: string, text: string, plainHosts: ReadonlySet<string>): string {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && plainHosts.has(url.hostname));
  if (url && isSafe && text.length <= MAX_URL_CHARS && !url.username && !url.password && !url.hash) return url.href;
  throw new SvcError(
    'INVALID_REQUEST',
    `${name} must be an https address without credentials and fragment, of at most ${MAX_URL_CHARS} characters; http is for hosts that the operator allows (--private-provider-host)`,
  );
}
