import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJson } from '../../../src/service/lib/is-json';

const LENGTHS = [255, 256, 257].map((length) => 'x'.repeat(length));
const BRACKETS = ['{', '}', '[', ']', ',', ':'];
const STRINGS = ['"', '"k"', '\\', '\\u00', '\\u00e9', '\\n', '\0', '\ud800', '\u2028', ...LENGTHS];
const SCALARS = ['1', '0', '-', '.', 'e', 'E+1', 'true', 'nul', 'null'];
const PIECES = [...BRACKETS, ...STRINGS, ...SCALARS, ' ', '\t', '\u00a0'];

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each(['', 'a frame with "quotes" before it: '])('the same texts as JSON.parse, behind %j', (before) => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((all) => all.join(''));
  const spaced = fc.jsonValue().map((value) => JSON.stringify(value, null, 1));
  const broken = fc.tuple(spaced, fc.nat(), fc.constantFrom('', ...PIECES), fc.nat(2)).map(([text, nat, piece, cut]) => {
    const at = nat % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + cut);
  });
  fc.assert(
    fc.property(fc.oneof(pieces, fc.json(), spaced, broken), (text) => {
      const [start, end] = [before.length, before.length + text.length];
      expect(isJson(`${before}${text}`, start, end)).toBe(isParsed(text));
      expect(isJson(`${before}${text}}`, start, end)).toBe(isParsed(text));
    }),
    { numRuns: 5_000 },
  );
});

test('any depth', () => {
  expect(isJson('['.repeat(1_000_000) + ']'.repeat(1_000_000))).toBe(true);
  expect(isJson('['.repeat(1_000_000))).toBe(false);
});
