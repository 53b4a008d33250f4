/** Looks up hosts that strangers name. Such a name may point into the operator's network, so each address that it resolves to must be public. */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address';

/** The code of a socket's error. */
export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';

/** The option `lookup` of sockets: a socket connects to the checked addresses, even if the name resolves differently afterwards. */
export function publicLookup(problemOf: (hostname: string) => string): LookupFunction {
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '');
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(Object.assign(new Error(problemOf(hostname)), { code: PRIVATE_ADDRESS }), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
