import { expect, test } from 'vitest';
import { byteCount } from '../../../src/cli/byte-count';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [182_345, '182 kB'],
  [999_400, '999 kB'],
  [999_600, '1.0 MB'],
  [9_960_000, '10 MB'],
  [1_234_567_890, '1.2 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(byteCount(bytes)).toBe(text);
});
