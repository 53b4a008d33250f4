/** The vectors of split.json, and what holds for every text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { split } from '../../../src/agent/chat/split';
import type { TextUnit } from '../../../src/agent/chat/text-units';
import { vector } from '../../support/vectors';

interface SplitVector {
  name: string;
  text: string;
  limit: number;
  unit: TextUnit;
  pieces: string[];
}

const VECTORS: SplitVector[] = vector('split');
const lengths = { utf16: (text: string) => text.length, 'code-points': (text: string) => [...text].length };

test.each(VECTORS)('$name', ({ text, limit, unit, pieces }) => {
  expect(split(text, limit, unit)).toEqual(pieces);
});

const words = fc
  .array(
    fc.constantFrom('word', 'a', '\n', '\n\n', '  ', '```\n', '```1\n', '\n```\n', '\n~~~\n', '😀', '👩‍👩‍👧', 'e\u0301', 'x'.repeat(30)),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(''));

test('every piece keeps the limit, is not blank, and no word of the text is lost', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 25, max: 60 }), fc.constantFrom<TextUnit>('utf16', 'code-points'), (text, limit, unit) => {
      const pieces = split(text, limit, unit);
      for (const piece of pieces) {
        expect(lengths[unit](piece)).toBeLessThanOrEqual(limit);
        expect(piece.trim()).not.toBe('');
        expect(piece.isWellFormed()).toBe(true);
      }
      const withoutFences = (some: string) => some.replace(/[`~1]|\s/g, '');
      expect(withoutFences(pieces.join(''))).toBe(withoutFences(text));
    }),
    { numRuns: 2_000 },
  );
});

test('each piece holds as many lines as fit', () => {
  const text = 'A sentence of some words.\n'.repeat(20_000);
  const pieces = split(text, 4096);
  expect(pieces).toHaveLength(Math.ceil(text.length / (157 * 26)));
});
