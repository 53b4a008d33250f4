/**
 * The names by which MCP clients may call this service. A page in a browser can point its own name at any address (DNS rebinding), and then sends
 * requests to a service that only this machine should reach.
 */
import { isIP } from 'node:net';
import { SvcError } from '#sdk/protocol/errors';

export interface AllowedHosts {
  /** Host names as in URLs, without ports. The host of the public URL is one of them. */
  names: string[];
  /** Any address is as good as a name: it is listened to on all of them, and no name can be bent to one. */
  addresses: boolean;
}

/**
 * @param host that the service listens on
 * @throws SvcError INVALID_REQUEST
 */
export function readAllowedHosts(host: string, allowedHosts: readonly string[]): AllowedHosts {
  const addresses = host === '0.0.0.0' || host === '::';
  const names = allowedHosts.map((name) => {
    const hostname = hostnameOf(name);
    if (hostname !== undefined && hostname === bracketed(name).toLowerCase()) return hostname;
    throw new SvcError(
      'INVALID_REQUEST',
      `allowedHosts: ${JSON.stringify(name)} is not a host name; write one such as tools.example.com, without scheme, port and path`,
    );
  });
  return { names: addresses ? names : [hostnameOf(bracketed(host)) ?? host, ...names], addresses };
}

export function isIpAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function hostnameOf(name: string): string | undefined {
  const url = `http://${bracketed(name)}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function bracketed(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name;
}
