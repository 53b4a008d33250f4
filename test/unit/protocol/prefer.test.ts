import { expect, test } from 'vitest';
import { readPrefer, writePrefer } from '#sdk/protocol/prefer';

test.each([
  ['wait=30', { respondAsync: false, waitMs: 30_000 }],
  ['respond-async', { respondAsync: true }],
  ['respond-async, wait=10', { respondAsync: true, waitMs: 10_000 }],
  ['Wait="5"; foo, RESPOND-ASYNC', { respondAsync: true, waitMs: 5_000 }],
  ['wait = 7', { respondAsync: false, waitMs: 7_000 }],
  ['wait=86400', { respondAsync: false, waitMs: 600_000 }],
])('%s is read as RFC 7240 says', (header, prefer) => {
  expect(readPrefer(header)).toEqual(prefer);
});

test.each([undefined, '', 'return=minimal', 'wait=-1', 'wait=soon', 'handling=lenient, await=3'])(
  '%s has no preference for a call',
  (header) => {
    expect(readPrefer(header)).toBeUndefined();
  },
);

test('a preference is read as it was written', () => {
  for (const prefer of [{ respondAsync: true }, { respondAsync: false, waitMs: 2_000 }, { respondAsync: true, waitMs: 59_000 }])
    expect(readPrefer(writePrefer(prefer))).toEqual(prefer);
});
