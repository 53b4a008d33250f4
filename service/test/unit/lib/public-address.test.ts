import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/lib/public-address';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:0',
  '::7f00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
])('%s is not in the open network', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['1.1.1.1', '100.63.0.1', '172.32.0.1', '192.169.0.1', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111', '2a00:1450::1'])(
  '%s is in the open network',
  (address) => expect(isPublicAddress(address)).toBe(true),
);
