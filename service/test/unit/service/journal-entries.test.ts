import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCall, parseJournal, replayJournal } from '../../../src/store/sqlite/journal/entries';
import type { InvocationRecord } from '../../../src/store/store';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const records = fc.record({
  idempotencyKey: fc.option(fc.constant('once')),
  hold: optional(fc.constant({ amount: 999_999_999_999_999_999n, currency: 'USD' })),
  madeBy: optional(fc.constantFrom('program', 'run_1')),
  code: fc.constantFrom('OK', 'CALL_DIRECTLY', undefined),
});

test('a call is read from the journal as it was written, with or without a price and a program', () => {
  fc.assert(
    fc.property(records, ({ idempotencyKey, hold, madeBy, code }) => {
      const outcome = code === undefined ? null : { code, body: null, endedAt: 9, ...(hold && { charged: 0n }) };
      const record: InvocationRecord = {
        ...{ id: 'inv_1', agentKeyId: 'key_1', idempotencyKey, requestHash: 'a1', action: 'shop__look', startedAt: 7, node: '', outcome },
        ...(hold && { hold }),
        ...(madeBy !== undefined && { madeBy }),
      };
      const read = replayJournal(parseJournal(Buffer.from(encodeCall(record)), 'journal'), () => undefined);
      expect(read).toEqual([record]);
    }),
  );
});
