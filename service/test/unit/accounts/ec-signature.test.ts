import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { unwrapEC2Signature } from '../../../src/accounts/bundle/ec-signature';

const CURVES = [
  ['P-256', 1],
  ['P-384', 2],
  ['P-521', 3],
] as const;

/** DER of two numbers, as bytes. */
const der = (...numbers: number[][]) => {
  const parts = numbers.flatMap((bytes) => [2, bytes.length, ...bytes]);
  return Uint8Array.from([0x30, parts.length, ...parts]);
};

test.each(CURVES)('signatures of %s are those of Node, as WebCrypto reads them', (namedCurve, curve) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  for (let round = 0; round < 50; round++) {
    const data = randomBytes(32);
    const raw = unwrapEC2Signature(sign('sha256', data, privateKey), curve);
    expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true);
  }
});

test('small numbers are padded with zeros, and a zero before a first bit is removed', () => {
  const raw = unwrapEC2Signature(der([1], [0, 0x80, ...Array(31).fill(7)]), 1);
  expect([...raw.slice(0, 32)]).toEqual([...Array(31).fill(0), 1]);
  expect([...raw.slice(32)]).toEqual([0x80, ...Array(31).fill(7)]);
});

test.each([
  ['nothing', new Uint8Array()],
  ['another element', Uint8Array.from([0x31, 6, 2, 1, 1, 2, 1, 1])],
  ['one number', der([1])],
  ['three numbers', der([1], [1], [1])],
  ['a number beyond the curve', der([1], [1, ...Array(32).fill(0)])],
  ['a length beyond the end', Uint8Array.from([0x30, 9, 2, 1, 1, 2, 1, 1])],
  ['bytes behind it', Uint8Array.from([...der([1], [1]), 0])],
  ['a length without an end', Uint8Array.from([0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0])],
])('%s is refused', (_, signature) => {
  expect(() => unwrapEC2Signature(signature, 1)).toThrow();
});

test('an unknown curve is refused', () => {
  expect(() => unwrapEC2Signature(der([1], [1]), 8)).toThrow('Curve 8 is not known');
});
