import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InvocationRecord } from '../../../src/store/store';
import { type UnsavedCall, UnsavedCalls } from '../../../src/store/unsaved';

const record = (id: string, code?: string): InvocationRecord => ({
  id,
  agentKeyId: 'key_agent',
  idempotencyKey: null,
  requestHash: '',
  action: 'shop__buy',
  startedAt: 1,
  node: 'node_1',
  outcome: code === undefined ? null : { code, body: null, endedAt: 2 },
});

function call(id: string, hasEnded: boolean, isCommitted: boolean): UnsavedCall {
  const state = { isCommitted, isDurable: false, isSaved: false, hasWaited: false, afterCommit: undefined };
  return { record: record(id, hasEnded ? 'OK' : undefined), scope: undefined, freedScope: undefined, ...state };
}

const step = fc.record({
  what: fc.constantFrom('put', 'put', 'commit', 'end', 'await', 'save', 'drop', 'dropSaved'),
  id: fc.constantFrom('a', 'b', 'c'),
  hasEnded: fc.boolean(),
  isCommitted: fc.boolean(),
});

test('the ended calls that are counted are those that a batch saves', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const calls = new UnsavedCalls();
      /** Also those that another call under the same id has replaced. */
      const known: UnsavedCall[] = [];
      for (const { what, id, hasEnded, isCommitted } of steps) {
        const one = known.findLast(({ record }) => record.id === id);
        const oldest = known.find(({ record }) => record.id === id);
        if (what === 'put') {
          const added = call(id, hasEnded, isCommitted);
          known.push(added);
          calls.put(added);
        } else if (what === 'dropSaved') calls.dropSaved();
        else if (!one || !oldest) continue;
        else if (what === 'commit') calls.committed(oldest);
        else if (what === 'end') calls.change(oldest, record(id, 'OK'));
        else if (what === 'await') one.afterCommit = [];
        else if (what === 'save') calls.saved(one, one.record);
        else calls.drop(one);
        expect(calls.ended).toBe(calls.due({ all: true }).filter(({ record }) => record.outcome).length);
      }
    }),
  );
});
