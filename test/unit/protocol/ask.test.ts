import { expect, test } from 'vitest';
import { readAsk, writeAsk } from '../../../src/protocol/ask';

test.each([
  ['destructive', { destructive: true }],
  ['destructive, above=0.50', { destructive: true, above: '0.50' }],
  ['always', { always: true }],
  ['above=0', { above: '0' }],
])('%s is written and read', (header, ask) => {
  expect(readAsk(header)).toEqual(ask);
  expect(writeAsk(ask)).toBe(header);
});

test('spaces and upper case are read; a caller without rules writes no header', () => {
  expect(readAsk('Above=2,DESTRUCTIVE')).toEqual({ above: '2', destructive: true });
  expect(readAsk(undefined)).toBeUndefined();
  expect(writeAsk({ always: false, destructive: false })).toBeUndefined();
});

test.each(['', 'never', 'destructive,', 'above', 'above=a lot', 'above=-1', 'above=1, above=2', 'destructive; above=1'])(
  'a header that is not understood is refused, because no rule may be lost: %j',
  (header) => {
    expect(() => readAsk(header)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  },
);
