import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SvcError } from '../../../src/index';
import { limitValue, toErrorText, toModelResult, toModelText } from '../../../src/tools/model-text';

const response = { invocationId: 'inv_1', result: { celsius: 21 } };

const toModelValue = (...args: Parameters<typeof toModelResult>) => toModelResult(...args).value;

test('a result is itself: compact JSON, a text without quotes, null when there is none', () => {
  expect(toModelText(toModelValue(response, 100))).toBe('{"celsius":21}');
  expect(toModelText(toModelValue({ ...response, result: 'sunny' }, 100))).toBe('sunny');
  expect(toModelText(toModelValue({ ...response, result: undefined }, 100))).toBe('null');
  expect(toModelText(toModelValue({ ...response, result: false }, 100))).toBe('false');
});

test('a note is beside the result only if the call was corrected or the result cut', () => {
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

test('a text that is too long is cut with a note, also an error’s', () => {
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

test('images and files are texts for a text-only model, and blocks for a model with image input', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  const withImage = { ...response, content: [image] };
  expect(toModelResult(withImage, 100)).toEqual({
    value: { result: { celsius: 21 }, content: ['[image image/png, 3 bytes]'] },
    result: { celsius: 21 },
    blocks: [{ type: 'text', text: '{"celsius":21}' }, image],
  });
  expect(toModelResult({ ...withImage, result: null }, 100)).toEqual({
    value: { content: ['[image image/png, 3 bytes]'] },
    result: null,
    blocks: [image],
  });
  const noted = toModelResult({ ...withImage, repaired: ['Lifted payload.'] }, 100);
  expect(noted.blocks?.[0]).toEqual({ type: 'text', text: '{"result":{"celsius":21},"note":"Lifted payload."}' });
  expect(noted).toMatchObject({ value: { note: 'Lifted payload.' }, result: { celsius: 21 } });
});

test('all texts of a result together stay within its limit', () => {
  const text = (size: number) => ({ type: 'text', text: 'x'.repeat(size) }) as const;
  const file = { type: 'resource', resource: { uri: 'svc://inv_1/a', mimeType: 'text/plain', text: 'y'.repeat(50) } } as const;
  const { blocks = [] } = toModelResult({ ...response, result: 'x'.repeat(40), content: [text(40), file] }, 100);
  expect(blocks.map((block) => JSON.stringify(block).match(/[xy]{2,}/)?.[0].length)).toEqual([40, 40, 20]);
  expect(JSON.stringify(blocks[2])).toContain('[Cut: 50 characters, these are the first 20.');
});
