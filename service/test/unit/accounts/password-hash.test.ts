import crypto from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { argon2idByNode, argon2idInJavaScript } from '../../../src/accounts/argon2id';
import { hashPassword, verifyPassword } from '../../../src/accounts/password-hash';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const hasNode = 'argon2' in crypto;

describe.each([
  ['Node', hasNode, argon2idByNode],
  ['JavaScript', true, argon2idInJavaScript],
])('by %s', (_, runs, derive) => {
  test.runIf(runs)('RFC 9106, section 5.3: the test vector of Argon2id', async () => {
    const tag = await derive({
      message: bytes(32, 1),
      nonce: bytes(16, 2),
      secret: bytes(8, 3),
      associatedData: bytes(12, 4),
      memory: 32,
      passes: 3,
      parallelism: 4,
      tagLength: 32,
    });
    expect(Buffer.from(tag).toString('hex')).toBe('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659');
  });

  test.runIf(runs)('a stored password is a PHC string with a unique salt, and only the password matches it', async () => {
    const [kept, again] = [await hashPassword('Grüße aus Köln', derive), await hashPassword('Grüße aus Köln', derive)];
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(again).not.toBe(kept);
    expect(await verifyPassword(kept, 'Grüße aus Köln', derive)).toBe(true);
    expect(await verifyPassword(kept, 'Grüße aus Köln'.normalize('NFD'), derive)).toBe(true);
    expect(await verifyPassword(kept, 'Grüsse aus Köln', derive)).toBe(false);
  });
});

test('the service hashes at the cost that OWASP recommends, and JavaScript verifies the hashes', async () => {
  vi.doUnmock('../../../src/accounts/password-cost');
  vi.resetModules();
  const real = await import('../../../src/accounts/password-hash');
  const kept = await real.hashPassword('a password');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await real.verifyPassword(kept, 'a password', argon2idInJavaScript)).toBe(true);
});

test.runIf(hasNode)('each implementation verifies the hashes of the other', async () => {
  expect(await verifyPassword(await hashPassword('a password', argon2idByNode), 'a password', argon2idInJavaScript)).toBe(true);
  expect(await verifyPassword(await hashPassword('a password', argon2idInJavaScript), 'a password', argon2idByNode)).toBe(true);
});

test('a kept password of another form is an error, and no wrong password', async () => {
  await expect(verifyPassword('$2b$12$abc', 'a password')).rejects.toThrow(/has a form/);
});
