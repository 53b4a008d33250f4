/** The unit of rate limits by address: an IPv4 address, or the /64 of an IPv6 address, which one household or machine gets. */
import { isIPv6 } from 'node:net';

export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return address;
  const [before = '', after] = plain.split('::');
  const groups = [before, after].map((part) => (part ? part.split(':') : []));
  const [head = [], tail = []] = groups;
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const first = [...head, ...zeros, ...tail].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
