import { expect, test } from 'vitest';
import { readCode } from '../../../src/agent/turns/commands';

const CODE = '7KQ2M-9XWPT';
const read = (message: string, isExpected = false) => readCode(message, () => isExpected);

test('a text that is a code with its hyphen, and /start with a code, are one at any time', () => {
  for (const message of [CODE, ' 7kq2m-9xwpt\n', `/start ${CODE}`, '/START 7kq2m9xwpt']) expect(read(message)).toBe(CODE);
});

test('a person who was asked for a code may leave out its hyphen, or write a sentence around it', () => {
  for (const message of ['7kq2m9xwpt', `the code is ${CODE}.`, `${CODE} thanks`]) {
    expect(read(message, true)).toBe(CODE);
    expect(read(message)).toBeUndefined();
  }
});

test('other messages are not a code, also when one is expected', () => {
  for (const message of [
    '',
    'no',
    'hello',
    '/start',
    '/start shop',
    'no code',
    '7KQ2M-9XWPT-2',
    'a-7KQ2M-9XWPT',
    '7KQ2M 9XWPT',
    'never-again',
  ])
    expect(read(message, true)).toBeUndefined();
});
