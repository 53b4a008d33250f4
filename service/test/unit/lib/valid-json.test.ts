import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from '../../../src/lib/valid-json';

/** Fewer brackets are left to JSON.parse. */
const MANY = '[],'.repeat(100);

function requireAgreement(text: string): void {
  // The bytes of an earlier and longer text are still in the buffer.
  expect(isJson(`[${MANY.repeat(2)}"0]}"]`)).toBe(true);
  for (const json of [text, `[${MANY}${text}]`, `[${MANY}${text}`]) expect(isJson(json)).toBe(parses(json));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JSON that is checked without making its value', () => {
  it.each([
    '',
    ' ',
    'null',
    'nul',
    'nulll',
    'true',
    'truefalse',
    'false',
    '0',
    '-',
    '-0',
    '00',
    '01',
    '1.',
    '.1',
    '1.5',
    '1e',
    '1e5',
    '1E+5',
    '1e-',
    '-1.5e-7',
    '+1',
    'NaN',
    '0x1',
    '""',
    '"',
    '"\\"',
    '"\\u12"',
    '"\\u12ab"',
    '"\\uD83D"',
    '"\\x"',
    '"a\nb"',
    '"a\tb"',
    '"\u007f"',
    '"é😀"',
    '[]',
    '[',
    ']',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1,2]',
    '[[]]',
    '[[]',
    '[}',
    '{',
    '{}',
    '{"a"}',
    '{"a":}',
    '{"a":1}',
    '{"a":1,}',
    '{"a":1,"b":[{}]}',
    '{a:1}',
    "{'a':1}",
    '{"a" : 1 , "b" : null}',
    ' [ ] ',
    '[1]2',
    '[1],"b":[2]',
    '1,"result":2',
    '{"a":1}}',
    '\ufeff1',
    '[1]\u00a0',
    '[1]\v',
    '"a" ',
    '-a',
    '{"a":1 "b":2}',
    '{"a"::1}',
    '[1]\0',
    '"\\',
    '"\\u',
    '{"a',
    '{"a"',
    '{"a":',
    'tru',
    't',
    '-01',
    '1e5.5',
    '1.e5',
  ])('agrees with JSON.parse about %j', (text) => {
    requireAgreement(text);
  });

  it('agrees with JSON.parse about texts in which a character was lost, changed or added', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }),
        fc.nat(),
        fc.constantFrom(...'{}[]",:\\0159.eE+-tfnu \n\u0001é'),
        fc.nat(3),
        (json, place, character, change) => {
          const at = place % (json.length + 1);
          const text = [
            json,
            json.slice(0, at) + json.slice(at + 1),
            json.slice(0, at) + character + json.slice(at + 1),
            json.slice(0, at) + character + json.slice(at),
          ][change] as string;
          requireAgreement(text);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each([511, 513, 5_000])('agrees with JSON.parse about %i levels', (levels) => {
    requireAgreement('['.repeat(levels) + ']'.repeat(levels));
    requireAgreement('{"a":'.repeat(levels) + '1'.concat('}'.repeat(levels - 1)));
  });
});
