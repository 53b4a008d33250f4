import { expect, test } from 'vitest';
import { deriveKey, openText, sealText } from '../../../src/lib/sealed-text';

const KEY = deriveKey(Buffer.alloc(32, 7), 'test');

test('a text opens with its key in its place, and in no other', () => {
  const sealed = sealText(KEY, 'gho_é', 'con_1');
  expect(openText(KEY, sealed, 'con_1')).toBe('gho_é');
  expect(openText(KEY, sealed, 'con_2')).toBeUndefined();
  expect(openText(deriveKey(Buffer.alloc(32, 7), 'other'), sealed, 'con_1')).toBeUndefined();
  expect(openText(deriveKey(Buffer.alloc(32, 8), 'test'), sealed, 'con_1')).toBeUndefined();
});

test('a text with one changed bit, or cut anywhere, does not open', () => {
  const sealed = sealText(KEY, 'secret', 'con_1');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(openText(KEY, changed, 'con_1')).toBeUndefined();
  }
  for (let end = 0; end < sealed.length; end++) expect(openText(KEY, sealed.subarray(0, end), 'con_1')).toBeUndefined();
});

test('the same text is sealed differently each time', () => {
  expect(sealText(KEY, 'secret', 'con_1').equals(sealText(KEY, 'secret', 'con_1'))).toBe(false);
});
