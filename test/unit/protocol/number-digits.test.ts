/** Numbers beyond ±(2^53 − 1): each keeps its digits, or is refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber, parseExactJson } from '../../../src/protocol/exact-number';
import { isUnsafeNumber, losesDigits, parseWithDigits, requireSafeNumbers } from '../../../src/protocol/number-digits';

const LOST = [
  '2512292042121000001',
  '-9007199254740993',
  '9007199254740993.0',
  '2.512292042121000001e18',
  '1e999',
  '123456789012345678901234567890',
];
const KEPT = ['9007199254740991', '-9007199254740991', '0.1234567890123456789', '1e-999', '12345678901234567.0e-2', '1.5e300', '3'];

test.each(LOST)('%s loses digits as a double', (literal) => {
  expect(losesDigits(literal)).toBe(true);
  expect(isUnsafeNumber(literal)).toBe(true);
  expect(parseWithDigits(`{"a":[${literal}]}`)).toEqual({ a: [literal] });
  expect(JSON.stringify(parseExactJson(`{"a":[ ${literal}]}`))).toBe(`{"a":[${literal}]}`);
});

test.each(KEPT)('%s is a double, and safe in a payload', (literal) => {
  expect(losesDigits(literal)).toBe(false);
  expect(isUnsafeNumber(literal)).toBe(false);
  expect(parseWithDigits(`[${literal}]`)).toEqual([Number(literal)]);
});

test.each(['9007199254740992', '2512292042121000000', '600000000000000000000'])(
  '%s has all its digits, and no payload may have it: JavaScript writes the same for its neighbours',
  (literal) => {
    expect(losesDigits(literal)).toBe(false);
    expect(isUnsafeNumber(literal)).toBe(true);
  },
);

test('digits within texts and names stay as they are', () => {
  const json = '{"2512292042121000001":"2512292042121000001","a\\\\\\"":"\\\\","b":"1e999 \\" 2512292042121000001"}';
  expect(parseWithDigits(json)).toEqual(JSON.parse(json));
  expect(JSON.stringify(parseExactJson(json))).toBe(json);
});

test.each(['{2512292042121000001: 1}', '[02512292042121000001]', '[2512292042121000001', '[-]', '"2512292042121000001'])(
  'a text that is not JSON stays an error: %s',
  (text) => {
    expect(() => parseWithDigits(text)).toThrow(SyntaxError);
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

test('the error names the place and the value to send', () => {
  expect(() => requireSafeNumbers('{"action":"a__b","payload":{"x/y":[1,2512292042121000001]}}')).toThrow(
    expect.objectContaining({
      code: 'INVALID_PAYLOAD',
      message:
        'The payload loses digits: /x~1y/1: 2512292042121000001 has more digits than JSON numbers keep; send its exact digits as a text, in quotes',
      details: {
        issues: [
          {
            path: '/x~1y/1',
            message: '2512292042121000001 has more digits than JSON numbers keep; send its exact digits as a text, in quotes',
          },
        ],
        received: ['x/y'],
      },
    }),
  );
});

/** JSON text, with a form without losses: large numbers as texts of their digits. */
interface Written {
  json: string;
  digits: unknown;
}

const literal = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 30 })).map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map((digits) => `${digits}.0`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);
const written: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal.map((json) => ({ json, digits: losesDigits(json) ? json : Number(json) })),
    fc
      .string({ unit: fc.constantFrom('"', '\\', '1234567890123456', 'e', '9', ',', '{', 'ß') })
      .map((text) => ({ json: JSON.stringify(text), digits: text })),
    fc
      .array(tie('value'))
      .map((items) => ({ json: `[${items.map(({ json }) => json).join(' ,')}]`, digits: items.map(({ digits }) => digits) })),
    fc.dictionary(fc.string(), tie('value')).map((members) => {
      const entries = Object.entries(members).filter(([name]) => name !== '__proto__');
      return {
        json: `{${entries.map(([name, { json }]) => `${JSON.stringify(name)}: ${json}`).join(',')}}`,
        digits: Object.fromEntries(entries.map(([name, { digits }]) => [name, digits])),
      };
    }),
  ),
})).value;

test('any JSON is equal after the trip, with its large numbers as texts or as they were', () => {
  fc.assert(
    fc.property(written, ({ json, digits }) => {
      expect(parseWithDigits(json)).toEqual(digits);
      const exact = parseExactJson(json);
      expect(parseWithDigits(JSON.stringify(exact))).toEqual(digits);
      expect(JSON.parse(JSON.stringify(exact, (_name, part: unknown) => part))).toEqual(JSON.parse(json));
    }),
  );
});

test('any JSON is refused, or each of its numbers is the double of its digits', () => {
  fc.assert(
    fc.property(written, ({ json, digits }) => {
      try {
        requireSafeNumbers(json);
      } catch {
        expect(hasExactNumber(parseExactJson(json, isUnsafeNumber))).toBe(true);
        return;
      }
      expect(JSON.parse(json)).toEqual(digits);
      expect(hasExactNumber(parseExactJson(json, isUnsafeNumber))).toBe(false);
    }),
  );
});

function hasExactNumber(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumber);
}
