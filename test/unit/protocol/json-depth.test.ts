import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedTooDeep, MAX_JSON_DEPTH, requireFlatJson } from '../../../src/protocol/json-depth';

const MAX = 3;

/** The depth of a value: 0 for a scalar. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('detects for each JSON text a value deeper than allowed, with any strings and names', () => {
  const text = fc.array(fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a', '漢', '\n'), { maxLength: 8 }).map((all) => all.join(''));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'json' },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }),
      fc.dictionary(text, tie('value'), { maxKeys: 4, depthIdentifier: 'json' }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(2), (json, indent) => {
      expect(isNestedTooDeep(JSON.stringify(json, null, indent), MAX)).toBe(depthOf(json) > MAX);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['arrays', '['.repeat(301), true],
  ['objects', '{"a":'.repeat(301), true],
  ['both, with space between', ' [\n{"a":'.repeat(151), true],
  ['300 levels', '['.repeat(300) + ']'.repeat(300), false],
  ['300 levels, many times', `[${`${'['.repeat(299)}${']'.repeat(299)},`.repeat(10)}0]`, false],
  ['brackets in a string', JSON.stringify('['.repeat(1_000)), false],
  ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(1_000)}`), false],
  ['levels after a string that ends in a backslash', `["\\\\",${'['.repeat(300)}`, true],
  ['levels after an open string', `"${'['.repeat(1_000)}`, false],
  ['a string that ends in the middle of an escape', `${'[],'.repeat(400)}"\\`, false],
  ['levels behind a byte order mark', `\uFEFF${'['.repeat(301)}`, true],
])('%s', (_name, text, expected) => {
  expect(isNestedTooDeep(text)).toBe(expected);
});

test('the message names the part that is too deep and the limit', () => {
  expect(() => requireFlatJson('['.repeat(MAX_JSON_DEPTH + 1), 'The body')).toThrow('The body is nested more than 300 levels deep');
  expect(() => requireFlatJson('[]', 'The body')).not.toThrow();
});
