import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SvcError } from '../../../src/index';
import { limitValue, toErrorText, toModelText, toModelValue } from '../../../src/tools/model-text';

const response = { invocationId: 'inv_1', result: { celsius: 21 } };

test('a result is itself: compact JSON, a text without quotes, null when there is none', () => {
  expect(toModelText(toModelValue(response, 100))).toBe('{"celsius":21}');
  expect(toModelText(toModelValue({ ...response, result: 'sunny' }, 100))).toBe('sunny');
  expect(toModelText(toModelValue({ ...response, result: undefined }, 100))).toBe('null');
  expect(toModelText(toModelValue({ ...response, result: false }, 100))).toBe('false');
});

test('a note stands beside the result only when the call was mended or the result cut', () => {
  expect(toModelValue({ ...response, repaired: [] }, 100)).toEqual({ celsius: 21 });
  expect(toModelValue({ ...response, repaired: ['Read "3" as 3.', 'Lifted payload.'] }, 100)).toEqual({
    result: { celsius: 21 },
    note: 'Read "3" as 3. Lifted payload.',
  });
  expect(toModelValue({ ...response, result: '[1,2', cut: { totalBytes: 9_000, keptBytes: 4 } }, 100)).toEqual({
    result: '[1,2',
    note: 'The result has 9000 bytes; these are its first 4.',
  });
});

test('a text that is too long is cut and says so, also an error’s', () => {
  expect(limitValue('x'.repeat(100), 100)).toBe('x'.repeat(100));
  expect(limitValue('x'.repeat(101), 100)).toBe(
    `${'x'.repeat(100)}\n[Cut: 101 characters, these are the first 100. Ask for less, or for a part, if you need the rest.]`,
  );
  const failed = new SvcError('ACTION_FAILED', 'no', { cause: { code: 'E', message: 'm', data: 'x'.repeat(1_000) } });
  expect(toErrorText(failed, 100)).toMatch(/^\{"error":\{"code":"ACTION_FAILED".*\n\[Cut: /);
});

test('a cut never leaves half of a surrogate pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 20 }), (text, maxChars) => {
      const limited = limitValue(text, maxChars) as string;
      expect(limited).not.toMatch(/\p{Surrogate}/u);
      expect(limited.split('\n[Cut')[0]?.length).toBeLessThanOrEqual(Math.max(maxChars, 0));
    }),
  );
});
