import { BlockList, isIP } from 'node:net';
import { SvcError } from '#sdk/protocol/errors';

/** Loopback, private and link-local: RFC 6890, RFC 4193. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Names of one word, such as a container's, and names that the public DNS does not have: RFC 6761, RFC 6762, and ICANN's `.internal`. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal)$/;

/**
 * `https` to any host. `http` only to this machine and to private networks: others on the way could read which customer pays how much.
 *
 * @throws SvcError INVALID_REQUEST, whose message contains no part of the URL but its host
 */
export function readWebhookUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid('The webhook of the ledger must be an http(s) URL, such as https://billing.example.com/svc-ledger');
  if (url.username || url.password || url.hash)
    throw invalid(
      'The URL of the ledger webhook must have no credentials and no fragment; the receiver verifies the service by its signature',
    );
  if (url.protocol === 'http:' && !isPrivate(url.hostname))
    throw invalid(`The ledger webhook goes to ${url.host} over http, where others can read it: use https. http is for private networks`);
  return url;
}

function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 0) return PRIVATE_NAME.test(hostname);
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function invalid(message: string): SvcError {
  return new SvcError('INVALID_REQUEST', message);
}
