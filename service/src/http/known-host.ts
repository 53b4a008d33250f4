/**
 * Checks the `Host` of requests that need no key. A page in a browser can point its own host name at this machine (DNS rebinding): its requests
 * then arrive here with that name, and the page reads the answers.
 */
import { SvcError } from '#sdk/protocol/errors';
import { isIpAddress } from '../mcp/allowed-hosts';
import type { AppDeps } from './app-deps';

/**
 * Accepts addresses and names of this machine, and the allowed hosts. An address is safe, because a page cannot rebind it.
 *
 * @throws SvcError NOT_PERMITTED
 */
export function requireKnownHost(host: string | undefined, { hosts }: Pick<AppDeps, 'hosts'>): void {
  // Each browser sends the header.
  if (host === undefined) return;
  const name = URL.parse(`http://${host}`)?.hostname;
  const isKnown = name !== undefined && (isIpAddress(name) || /(?:^|\.)localhost$/.test(name) || hosts.names.includes(name));
  if (isKnown) return;
  const advice = 'start it with --public-url <url> or --allowed-host <name> (allowedHosts of createService), or send a key';
  throw new SvcError('NOT_PERMITTED', `The service does not know the host name ${JSON.stringify(host.slice(0, 100))}: ${advice}`);
}
