import { expect, test } from 'vitest';
import { readConfirmationCode } from '../../../src/protocol/connections';

test('a code is read as users type it, in one form', () => {
  for (const text of ['7KQ2M-9XWPT', ' 7kq2m-9xwpt\n', '7KQ2M9XWPT']) expect(readConfirmationCode(text)).toBe('7KQ2M-9XWPT');
});

test('any other text is not a code', () => {
  for (const text of ['', 'hello', '7KQ2M-9XWP', '7KQ2M 9XWPT', '7KQ2M-9XWP0', 'code 7KQ2M-9XWPT', 'https://a.example/7KQ2M-9XWPT'])
    expect(readConfirmationCode(text)).toBeUndefined();
});
