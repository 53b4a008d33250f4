import { expect, test } from 'vitest';
import { isAddressOrBlock, TrustedProxies } from '../../../src/accounts/client-address';

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48']);

test.each([
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.1.2.3', null, '10.1.2.3'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.1', '198.51.100.1'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', '1.1.1.1, unknown', '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
  ['10.1.2.3', '[2001:db8::7]:4711', '2001:db8::7'],
  ['10.1.2.3', '2001:db8::7', '2001:db8::7'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['2001:db8:ffff::1', '198.51.100.1', '198.51.100.1'],
  ['2001:db8:fffe::1', '198.51.100.1', '2001:db8:fffe::1'],
  ['unknown', '198.51.100.1', 'unknown'],
])('a connection from %s with X-Forwarded-For %j is from %s', (clientAddress, forwarded, client) => {
  const request = new Request('http://localhost', { headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded } });
  expect(proxies.resolve({ request, clientAddress }).clientAddress).toBe(client);
});

test.each([
  ['10.0.0.0/8', true],
  ['192.0.2.1', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['fe80::1%eth0', false],
  ['localhost', false],
  ['', false],
])('%j as a trusted proxy: %s', (text, isValid) => {
  expect(isAddressOrBlock(text)).toBe(isValid);
});
