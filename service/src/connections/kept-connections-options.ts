/** The operator's options of kept connections, parsed and checked. */
import * as z from 'zod';
import { parseOrThrow } from '../lib/parse';

export interface KeptConnectionsOptions {
  /**
   * Hosts of OAuth providers that may have private addresses or no TLS, such as `login.example.internal`. Default: none, and only providers at public
   * addresses are asked: a toolkit names its provider, and could name a machine of your network.
   */
  privateHosts?: readonly string[] | undefined;
}

const host = z.union(
  [z.hostname().toLowerCase(), z.ipv4(), z.ipv6()],
  'must be a host name or an IP address, without scheme, port and path',
);
const connectionsOptions = z.strictObject({ privateHosts: z.array(host).optional() });

/** @throws SvcError INVALID_REQUEST */
export function readKeptConnectionsOptions(options: KeptConnectionsOptions | undefined): KeptConnectionsOptions {
  return parseOrThrow(connectionsOptions, options ?? {}, 'connections');
}
