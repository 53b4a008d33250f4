/**
 * Hosts that only a document names. Such a name may point into the operator's network, so each address that it resolves to must be public.
 *
 * Errors: PRIVATE_ADDRESS, as code of a socket's error; INVALID_REQUEST of `checkPublicHost`.
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SvcError } from 'svc-sdk';
import { isPublicAddress } from './public-address';

export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';
const LOOKUP_MS = 5_000;

/** The option `lookup` of sockets: a socket connects to the checked addresses, even if the name resolves differently afterwards. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new Error('no address'), '');
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(privateAddress(hostname), '');
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Rejects with INVALID_REQUEST for a name of a private network. A name that does not resolve passes: nothing is sent to it yet. */
export async function checkPublicHost({ hostname, origin }: URL): Promise<void> {
  const lookup = promisify(lookupPublic)(hostname, { all: true });
  const found = lookup.then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  const error = await Promise.race([found, sleep(LOOKUP_MS, undefined, { ref: false })]);
  if (error?.code !== PRIVATE_ADDRESS) return;
  throw new SvcError(
    'INVALID_REQUEST',
    `The document names ${origin}, which is in a private network: its author may mean a service that only you reach. To import it, give baseUrl (--base-url ${origin})`,
  );
}

function privateAddress(hostname: string): NodeJS.ErrnoException {
  const message = `only the document names ${hostname}, and its address is in a private network; the operator may give it as baseUrl`;
  return Object.assign(new Error(message), { code: PRIVATE_ADDRESS });
}
