import { expect, test } from 'vitest';
import { printable, readableText } from '../../../src/protocol/invisible-text';

test.for([
  ['openings of sequences', '\u001b]'],
  ['8-bit openings', '\u009d'],
  ['parameters', '\u001b[0;0;0;0'],
  ['tags', '\u{e0041}'],
  ['joiners', '\u200d'],
  ['half characters', '\ud83d'],
  ['flags without an end', '\u{1f3f4}\u{e0067}\u{e0062}'],
])('a long text of %s is read in linear time', ([, part = '']) => {
  const text = part.repeat(200_000 / part.length);
  const startedAt = performance.now();
  readableText(text);
  printable(text);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
