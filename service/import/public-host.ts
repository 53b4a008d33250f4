/** Hosts that only a document names: their addresses must be public. Errors: INVALID_REQUEST of `checkPublicHost`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SvcError } from 'svc-sdk';
import { PRIVATE_ADDRESS, publicLookup } from '../src/lib/public-lookup';

const LOOKUP_MS = 5_000;

export const lookupPublic = publicLookup(
  (hostname) => `only the document names ${hostname}, and its address is in a private network; the operator may give it as baseUrl`,
);

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
