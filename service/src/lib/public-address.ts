/**
 * Public addresses: not of this machine, of a private network, or of the metadata service of a cloud.
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries; RFC 6890, RFC 6598 (shared), RFC 4193 (unique local), RFC 6052 (NAT64).
 */
import { BlockList, isIPv4 } from 'node:net';

const V4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // the wire server of Azure
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Public for NAT64 of public IPv4 addresses. */
const NAT64 = '64:ff9b::';
const V6: readonly (readonly [network: string, bits: number])[] = [
  ['64:ff9b:1::', 48],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const CLOSED = new BlockList();
for (const [network, bits] of V4) {
  CLOSED.addSubnet(network, bits);
  CLOSED.addSubnet(NAT64 + network, 96 + bits, 'ipv6');
}
for (const [network, bits] of V6) CLOSED.addSubnet(network, bits, 'ipv6');

const OPEN = new BlockList();
OPEN.addSubnet('0.0.0.0', 0);
OPEN.addSubnet('2000::', 3, 'ipv6');
OPEN.addSubnet(NAT64, 96, 'ipv6');

/** @param address as the system resolves it; IPv4 within IPv6 is checked as IPv4 */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  return OPEN.check(plain, family) && !CLOSED.check(plain, family);
}
