/** A value in a path never leads to another operation. */
import { expect, test } from 'vitest';
import { encodePathValue } from '../../../import/openapi/path-value';
import { context } from './context';

const encode = (value: unknown) => encodePathValue(value, 'id', context());

test.each([
  '..',
  '.',
  '../admin',
  'a/../../admin',
  '..\\admin',
  '%2e%2e%2fadmin',
  '..%2Fadmin',
  '%252e%252e%252fadmin',
  '%25252e%25252e',
  '.%2e/admin',
  '..;/admin',
  '..%00/admin',
  '%c0%ae%c0%ae%c0%afadmin',
  '\uff0e\uff0e\uff0fadmin',
  'a/..?x',
  'a/..#x',
  'a\n/..',
  ' .. ',
  '',
])('%j is refused', (value) => {
  expect(() => encode(value)).toThrow(expect.objectContaining({ code: 'INVALID_PATH_VALUE' }));
});

test.each([
  ['octocat', 'octocat'],
  ['src/index.ts', 'src%2Findex.ts'],
  ['v1.2..3', 'v1.2..3'],
  ['...', '...'],
  ['.github', '.github'],
  ['100%', '100%25'],
  ['a b?c#d', 'a%20b%3Fc%23d'],
  ['é', '%C3%A9'],
  [7, '7'],
  ["it's (1)*!", 'it%27s%20%281%29%2A%21'],
])('%j becomes %s', (value, text) => expect(encode(value)).toBe(text));
