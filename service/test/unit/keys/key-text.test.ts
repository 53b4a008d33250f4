import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase62 } from '../../../src/keys/base62';
import { makeKey, readKey } from '../../../src/keys/key-text';

const kinds = ['agent', 'toolkit', 'admin'] as const;

test.each(kinds)('a new %s key has the form of the protocol, and can be parsed', (kind) => {
  const key = makeKey(kind);
  expect(key).toMatch(new RegExp(`^svc_${kind}_[0-9A-Za-z]{49}$`));
  expect(key.slice(-6)).toBe(toBase62(BigInt(crc32(key.slice(0, -6))), 6));
  expect(readKey(key)).toEqual({ kind, hash: createHash('sha256').update(key).digest('hex') });
});

test('no two keys are the same', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => makeKey('agent'))).size).toBe(1_000);
});

test('base 62 keeps the number and its width', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  expect(toBase62(0n, 6)).toBe('000000');
  expect(toBase62(2n ** 256n - 1n, 43)).toHaveLength(43);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
      const text = toBase62(value, 43);
      expect(text).toHaveLength(43);
      expect([...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)).toBe(value);
    }),
  );
});

test('every change of a single character is detected', () => {
  const change = fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(),
    character: fc.oneof(
      fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(change, ({ kind, at, character }) => {
      const key = makeKey(kind);
      const index = at % key.length;
      fc.pre(key.charAt(index) !== character);
      expect(readKey(key.slice(0, index) + character + key.slice(index + 1))).toHaveProperty('problem');
    }),
    { numRuns: 2_000 },
  );
});

test('two swapped neighbours are detected', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 57 }), (index) => {
      const key = makeKey('agent');
      fc.pre(key[index] !== key[index + 1]);
      const swapped = key.slice(0, index) + key.charAt(index + 1) + key.charAt(index) + key.slice(index + 2);
      expect(readKey(swapped)).toEqual({ problem: 'typo' });
    }),
  );
});

test('each kind of refusal has its reason', () => {
  const key = makeKey('agent');
  expect(readKey('')).toEqual({ problem: 'prefix' });
  expect(readKey('sk-proj-123')).toEqual({ problem: 'prefix' });
  expect(readKey(key.replace('agent', 'robot'))).toEqual({ problem: 'prefix' });
  expect(readKey(key.slice(0, -1))).toEqual({ problem: 'length' });
  expect(readKey(`${key}x`)).toEqual({ problem: 'length' });
  expect(readKey(key.replace('agent', 'admin'))).toEqual({ problem: 'typo' });
  expect(readKey(`svc_agent_${'-'.repeat(49)}`)).toEqual({ problem: 'typo' });
});

test('any text is parsed without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readKey(text)).toHaveProperty('problem');
    }),
  );
});
