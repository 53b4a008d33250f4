/**
 * The address of the client of a request. Behind a trusted proxy it is in `X-Forwarded-For`: the last address that is not a trusted proxy's. Any
 * client can write that header, so it counts only on a connection of a trusted proxy.
 */
import { BlockList, isIP } from 'node:net';
import type { ClientRequest } from './client-request';

export class TrustedProxies {
  readonly #proxies = new BlockList();

  /** @param proxies IP addresses and CIDR blocks, as `isAddressOrBlock` accepts them */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = '', bits] = proxy.split('/');
      if (bits === undefined) this.#proxies.addAddress(address, familyOf(address));
      else this.#proxies.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** @param caller with the address of the connection */
  resolve({ request, clientAddress }: ClientRequest): ClientRequest {
    const forwarded = request.headers.get('x-forwarded-for')?.split(',') ?? [];
    let address = clientAddress;
    while (forwarded.length > 0 && this.#has(address)) {
      const before = withoutPort(forwarded.pop()?.trim() ?? '');
      // An address that the proxy obscures: RFC 7239, section 6.
      if (isIP(before) === 0) break;
      address = before;
    }
    return { request, clientAddress: address };
  }

  #has(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, familyOf(address));
  }
}

export function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
