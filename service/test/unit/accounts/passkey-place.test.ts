import { expect, test } from 'vitest';
import { mayUsePasskeys } from '../../../src/accounts/passkey-place';

test.each([
  [undefined, true],
  ['https://tools.example.com', true],
  ['http://localhost:8787', true],
  ['http://tools.example.com', false],
  ['https://192.0.2.7', false],
  ['https://[2001:db8::1]', false],
])('passkeys at %s: %s', (url, may) => {
  expect(mayUsePasskeys(url)).toBe(may);
});
