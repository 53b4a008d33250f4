/** The order of the settlement and its retries, on a fake clock and a ledger in memory. service/test/e2e/settlement.test.ts has the real parts. */
import { SvcError } from 'svc-sdk';
import type { ChargedEntry, Settle } from 'svc-service';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Settlement } from '../../../src/payments/settlement';
import type { LedgerEntry, Store } from '../../../src/store/store';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
});

function anEntry(number: number, booked = number): LedgerEntry {
  return {
    invocationId: `inv_${number}`,
    agentKeyId: 'key_agent',
    action: 'maps__route',
    currency: 'USD',
    authorised: 50_000n,
    charged: 30_000n,
    heldAt: Date.parse('2026-11-23T11:59:00Z'),
    bookedAt: Date.parse('2026-11-23T11:59:00Z') + booked,
    settledAt: null,
  };
}

/** A ledger that several settlements may use, of which one at a time has the lock. */
function aLedger(entries: LedgerEntry[]) {
  const settled = new Map<string, number>();
  const state = { entries, settled, isLocked: false, fails: 0, reads: 0 };
  const check = () => {
    if (state.fails > 0) throw new Error(`the database is down: ${state.fails--}`);
  };
  const store: Pick<Store, 'settling'> = {
    async settling(work) {
      if (state.isLocked) return false;
      state.isLocked = true;
      try {
        await work({
          async unsettled(limit) {
            state.reads++;
            check();
            const open = state.entries.filter(({ invocationId }) => !settled.has(invocationId));
            return open.sort((one, other) => Number(one.bookedAt) - Number(other.bookedAt)).slice(0, limit);
          },
          async settle(ids, at) {
            check();
            for (const id of ids) settled.set(id, at);
          },
        });
        return true;
      } finally {
        state.isLocked = false;
      }
    },
  };
  return { state, store };
}

function start(store: Pick<Store, 'settling'>, settle: Settle) {
  const logged: { fields: Record<string, unknown>; message: string }[] = [];
  const keep = (fields: object, message: string) => void logged.push({ fields: { ...fields }, message });
  const settlement = new Settlement({ store, settle, logger: { info() {}, warn: keep, error: keep } });
  onTestFinished(() => settlement.close());
  return { settlement, logged };
}

test('entries are sent in booking order, one at a time, each marked when accepted', async () => {
  const { state, store } = aLedger([anEntry(1, 9), anEntry(2, 3), anEntry(3, 6)]);
  const seen: string[] = [];
  let running = 0;
  start(store, async ({ invocationId }) => {
    expect(running++).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(state.settled.has(invocationId)).toBe(false);
    running--;
    seen.push(invocationId);
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toEqual(['inv_2', 'inv_3', 'inv_1']);
  expect([...state.settled.keys()]).toEqual(seen);
  state.entries.push(anEntry(4, 20));
  await vi.advanceTimersByTimeAsync(1_100);
  expect(seen).toEqual(['inv_2', 'inv_3', 'inv_1', 'inv_4']);
});

test('an entry has amounts as texts and times as RFC 3339', async () => {
  const { store } = aLedger([anEntry(1)]);
  const seen: ChargedEntry[] = [];
  start(store, async (entry) => void seen.push(entry));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual([
    {
      invocationId: 'inv_1',
      agentKeyId: 'key_agent',
      toolkit: 'maps',
      action: 'maps__route',
      currency: 'USD',
      authorised: '0.05',
      charged: '0.03',
      heldAt: '2026-11-23T11:59:00.000Z',
      bookedAt: '2026-11-23T11:59:00.001Z',
    },
  ]);
});

test('a rejected entry is retried with growing pauses up to five minutes, and no entry overtakes it', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => void vi.restoreAllMocks());
  const { state, store } = aLedger([anEntry(1), anEntry(2)]);
  const tries: [string, number][] = [];
  const began = Date.now();
  let accepts = false;
  const { logged } = start(store, async ({ invocationId }) => {
    tries.push([invocationId, (Date.now() - began) / 1_000]);
    if (!accepts) throw new Error('no');
  });
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(tries.map(([id]) => id)).toEqual(Array(tries.length).fill('inv_1'));
  expect(tries.map(([, at]) => at)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111]);
  expect(logged.at(-1)).toEqual({
    message: 'settlement failed',
    fields: { error: new Error('no'), invocation: 'inv_1', failures: 12, retryInMs: 300_000 },
  });
  accepts = true;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(tries.slice(-2).map(([id]) => id)).toEqual(['inv_1', 'inv_2']);
  expect(state.settled.size).toBe(2);
});

test('the pauses differ at random, and never are shorter than half', async () => {
  const { store } = aLedger([anEntry(1)]);
  const { logged } = start(store, () => Promise.reject(new Error('no')));
  await vi.advanceTimersByTimeAsync(600_000);
  for (const { fields } of logged) {
    const limit = Math.min(300_000, 1_000 * 2 ** (Number(fields.failures) - 1));
    expect(Number(fields.retryInMs)).toBeGreaterThanOrEqual(limit / 2);
    expect(Number(fields.retryInMs)).toBeLessThanOrEqual(limit);
  }
});

test('an error may request a longer pause, an hour at most', async () => {
  const { store } = aLedger([anEntry(1)]);
  let asked = 90_000;
  const { logged } = start(store, () => Promise.reject(new SvcError('SERVICE_UNAVAILABLE', 'later', { retryAfterMs: asked })));
  await vi.advanceTimersByTimeAsync(89_999);
  expect(logged).toHaveLength(1);
  asked = 1e12;
  await vi.advanceTimersByTimeAsync(1);
  expect(logged.map(({ fields }) => fields.retryInMs)).toEqual([90_000, 3_600_000]);
});

test('a function that throws before it returns a promise counts as a failure', async () => {
  const { store } = aLedger([anEntry(1)]);
  const { logged } = start(store, () => {
    throw new TypeError('no promise');
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(logged).toMatchObject([{ message: 'settlement failed', fields: { invocation: 'inv_1' } }]);
});

test('an entry whose mark was lost is sent again', async () => {
  const { state, store } = aLedger([anEntry(1), anEntry(2)]);
  const seen: string[] = [];
  const { logged } = start(store, async ({ invocationId }) => {
    seen.push(invocationId);
    if (seen.length === 1) state.fails = 1;
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toEqual(['inv_1', 'inv_1', 'inv_2']);
  expect(logged).toMatchObject([{ message: 'cannot read or mark the entries to settle' }]);
});

test('while the database is down the pauses grow; nothing is lost', async () => {
  const { state, store } = aLedger([anEntry(1)]);
  state.fails = 4;
  const settle = vi.fn(async () => {});
  start(store, settle);
  await vi.advanceTimersByTimeAsync(3_700);
  expect(settle).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(settle).toHaveBeenCalledOnce();
});

test('one of two settles; when it ends, the other takes over within a second or two', async () => {
  const { state, store } = aLedger([anEntry(1)]);
  const seen: string[] = [];
  const first = start(store, async ({ invocationId }) => void seen.push(`first ${invocationId}`));
  start(store, async ({ invocationId }) => void seen.push(`second ${invocationId}`));
  await vi.advanceTimersByTimeAsync(5_000);
  state.entries.push(anEntry(2));
  await vi.advanceTimersByTimeAsync(1_000);
  await first.settlement.close();
  state.entries.push(anEntry(3));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toEqual(['first inv_1', 'first inv_2', 'second inv_3']);
});

test('close waits for the entry under way, and begins no other', async () => {
  const { state, store } = aLedger([anEntry(1), anEntry(2)]);
  const settle = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 3_000)));
  const { settlement } = start(store, settle);
  await vi.advanceTimersByTimeAsync(1_000);
  const closed = settlement.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  expect(settle).toHaveBeenCalledOnce();
  expect([...state.settled.keys()]).toEqual(['inv_1']);
});

test('close does not wait without end: the entry is sent again after the next start', async () => {
  const { state, store } = aLedger([anEntry(1)]);
  const { settlement, logged } = start(store, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(0);
  const closed = settlement.close();
  await vi.advanceTimersByTimeAsync(5_000);
  await closed;
  expect(state.settled.size).toBe(0);
  expect(logged).toMatchObject([{ fields: { invocation: 'inv_1' }, message: expect.stringContaining('again after the next start') }]);
});

test('close ends a pause at once', async () => {
  const { store } = aLedger([anEntry(1)]);
  const { settlement } = start(store, () => Promise.reject(new SvcError('SERVICE_UNAVAILABLE', 'later', { retryAfterMs: 600_000 })));
  await vi.advanceTimersByTimeAsync(0);
  await settlement.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('an idle ledger is read once a second', async () => {
  const { state, store } = aLedger([]);
  start(store, async () => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.reads).toBe(61);
});
