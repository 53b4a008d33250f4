/** The contract of every store for the entries of paid calls. */
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS, dayText, utcDay } from '../../src/lib/utc-day';
import { firstIdAt } from '../../src/store/sql/statements';
import type { InvocationOutcome, InvocationStart, LedgerFilter, Store } from '../../src/store/store';
import { aCall, OK } from './store-records';

/** The store counts budgets from yesterday on. */
const TODAY = utcDay(Date.now()) * DAY_MS;
const NOON = TODAY + DAY_MS / 2;
const LARGEST = 999_999_999_999_999_999n;
const USD = { currency: 'USD', limit: 100 };

interface PaidCall {
  key: string;
  action: string;
  at: number;
  amount: bigint;
  /** Absent: held. */
  charged?: bigint;
  endedAt?: number;
  currency?: string;
}

export function ledgerContract(name: string, newData: () => Promise<() => Promise<Store>>): void {
  /** Data with these calls, and the ids of their entries in the same order. */
  async function setUp(calls: readonly PaidCall[]) {
    const store = await (await newData())();
    onTestFinished(() => store.close());
    const ids: string[] = [];
    for (const call of calls) ids.push(await pay(store, call));
    const list = async (filter: LedgerFilter = {}) => {
      const found = await store.ledger.list({ ...filter, order: 'oldest', limit: 100 });
      return found.map(({ invocationId }) => ids.indexOf(invocationId));
    };
    const names = async (by: 'key' | 'toolkit' | 'action' | 'day', filter: LedgerFilter = {}) =>
      (await store.ledger.sums(by, { ...filter, ...USD })).map((sum) => `${sum.name} ${sum.calls} ${sum.charged} ${sum.held}`);
    return { ...store, ids, list, names };
  }

  describe(`${name}: the ledger`, () => {
    const MIXED: PaidCall[] = [
      { key: 'ada', action: 'maps__route', at: TODAY - 1, amount: 10n, charged: 10n },
      { key: 'ada', action: 'maps__route', at: TODAY, amount: 10n, charged: 4n },
      { key: 'ada', action: 'mail__send', at: NOON, amount: 7n, charged: 0n },
      { key: 'bob', action: 'maps__tile', at: NOON, amount: 5n },
      { key: 'bob', action: 'mail__send', at: NOON + 1, amount: 7n, charged: 7n },
    ];

    test('entries are listed by id, from either end, page by page', async () => {
      const { ledger, ids } = await setUp(MIXED);
      const pages = async (order: 'oldest' | 'newest') => {
        const found: string[][] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await ledger.list({ order, limit: 2, cursor });
          if (page.length === 0) return found;
          found.push(page.map(({ invocationId }) => invocationId));
          cursor = found.at(-1)?.at(-1);
        }
      };
      const sorted = ids.toSorted();
      expect(await pages('oldest')).toEqual([sorted.slice(0, 2), sorted.slice(2, 4), sorted.slice(4)]);
      const reversed = sorted.toReversed();
      expect(await pages('newest')).toEqual([reversed.slice(0, 2), reversed.slice(2, 4), reversed.slice(4)]);
    });

    test('filters combine: key, toolkit, action and time, whose end is exclusive', async () => {
      const { list } = await setUp(MIXED);
      expect(await list({ agentKeyId: 'ada' })).toEqual([0, 1, 2]);
      expect((await list({ toolkit: 'maps' })).sort()).toEqual([0, 1, 3]);
      expect((await list({ action: 'mail__send' })).sort()).toEqual([2, 4]);
      expect(await list({ action: 'mail__send', agentKeyId: 'bob' })).toEqual([4]);
      expect(await list({ action: 'mail__send', toolkit: 'maps' })).toEqual([]);
      expect((await list({ from: TODAY, to: NOON + 1 })).sort()).toEqual([1, 2, 3]);
      expect(await list({ agentKeyId: 'ada', to: TODAY })).toEqual([0]);
      expect(await list({ from: NOON + 2 })).toEqual([]);
    });

    test('the time of the hold decides, not the time in the id', async () => {
      const { ledger, invocations } = await setUp([]);
      const late = { ...start({ key: 'ada', action: 'a__b', at: TODAY, amount: 1n }), id: `${firstIdAt(TODAY - 60_000)}late` };
      await invocations.start(late);
      expect(await ledger.list({ from: TODAY, order: 'oldest', limit: 10 })).toHaveLength(1);
      expect(await ledger.list({ to: TODAY, order: 'oldest', limit: 10 })).toEqual([]);
      expect(await ledger.total({ from: TODAY, currency: 'USD' })).toEqual({ calls: 1, charged: 0n, held: 1n });
    });

    test('an entry is visible by its key or by its toolkit, of a toolkit since a time', async () => {
      const { list, ledger, names } = await setUp(MIXED);
      const visible = (agentKeyIds: string[], toolkits: { id: string; since: number }[] = []) => ({ visible: { agentKeyIds, toolkits } });
      expect(await list(visible([]))).toEqual([]);
      expect((await list(visible(['bob']))).sort()).toEqual([3, 4]);
      expect((await list(visible(['bob', 'ada', 'none']))).sort()).toEqual([0, 1, 2, 3, 4]);
      const ofMaps = visible(['bob'], [{ id: 'maps', since: TODAY }]);
      expect((await list(ofMaps)).sort()).toEqual([1, 3, 4]);
      expect(await list({ ...ofMaps, agentKeyId: 'ada' })).toEqual([1]);
      expect(await list({ ...ofMaps, action: 'mail__send' })).toEqual([4]);
      expect(await ledger.list({ ...ofMaps, order: 'newest', limit: 1 })).toMatchObject([{ agentKeyId: 'bob', action: 'mail__send' }]);
      expect(await names('toolkit', ofMaps)).toEqual(['mail 1 7 0', 'maps 2 4 5']);
      expect(await ledger.total({ ...visible([]), currency: 'USD' })).toEqual({ calls: 0, charged: 0n, held: 0n });
    });

    test('entries are found by the ids of their calls; a free call has none', async () => {
      const { ledger, ids } = await setUp(MIXED);
      const found = await ledger.ofCalls([ids[1] ?? '', 'inv_free', ids[3] ?? '']);
      expect([...found].map(([id, { charged }]) => [ids.indexOf(id), charged]).sort()).toEqual([
        [1, 4n],
        [3, null],
      ]);
      expect(await ledger.ofCalls([])).toEqual(new Map());
    });

    test('a person may have more keys than one statement has parts', async () => {
      const { list } = await setUp(MIXED);
      const many = Array.from({ length: 1_100 }, (_, index) => `none-${index}`);
      expect((await list({ visible: { agentKeyIds: [...many, 'bob'], toolkits: [] } })).sort()).toEqual([3, 4]);
    });

    test('sums by key, toolkit, action and day, the highest charge first and days in their order', async () => {
      const { names, ledger } = await setUp(MIXED);
      expect(await names('key')).toEqual(['ada 3 14 0', 'bob 2 7 5']);
      expect(await names('toolkit')).toEqual(['maps 3 14 5', 'mail 2 7 0']);
      expect(await names('action')).toEqual(['maps__route 2 14 0', 'mail__send 2 7 0', 'maps__tile 1 0 5']);
      expect(await names('day')).toEqual([`${dayText(utcDay(TODAY) - 1)} 1 10 0`, `${dayText(utcDay(TODAY))} 4 11 5`]);
      expect(await names('key', { toolkit: 'mail' })).toEqual(['bob 1 7 0', 'ada 1 0 0']);
      expect(await ledger.sums('action', { ...USD, limit: 1 })).toMatchObject([{ name: 'maps__route' }]);
      expect(await ledger.total({ currency: 'USD' })).toEqual({ calls: 5, charged: 21n, held: 5n });
      expect(await ledger.total({ currency: 'EUR' })).toEqual({ calls: 0, charged: 0n, held: 0n });
    });

    test('sums are exact beyond the integers of JavaScript and of the database', async () => {
      const paid = (key: string, action: string, charged?: bigint): PaidCall => {
        return { key, action, at: NOON, amount: LARGEST, ...(charged !== undefined && { charged }) };
      };
      const charged = Array.from({ length: 12 }, (_, index) => paid(`key-${index}`, 'a__b', LARGEST - BigInt(index)));
      const held = Array.from({ length: 12 }, (_, index) => paid(`other-${index}`, 'a__c'));
      const { ledger, names } = await setUp([...charged, ...held]);
      expect(12n * LARGEST).toBeGreaterThan(2n ** 63n);
      const total = { charged: 12n * LARGEST - 66n, held: 12n * LARGEST };
      expect(await ledger.total({ currency: 'USD' })).toEqual({ calls: 24, ...total });
      expect(await ledger.sums('toolkit', USD)).toEqual([{ name: 'a', calls: 24, ...total }]);
      expect((await names('key')).slice(0, 2)).toEqual([`key-0 1 ${LARGEST} 0`, `key-1 1 ${LARGEST - 1n} 0`]);
    });

    test('amounts below one unit decide the order too', async () => {
      const cents = (key: string, charged: bigint): PaidCall => ({ key, action: 'a__b', at: NOON, amount: 900_000n, charged });
      const { names } = await setUp([cents('a', 900_000n), cents('a', 100_000n), cents('b', 900_000n), cents('b', 900_000n)]);
      expect(await names('key')).toEqual(['b 2 1800000 0', 'a 2 1000000 0']);
    });

    test('the days of many keys are read at once', async () => {
      const { ledger } = await setUp(MIXED);
      const many = Array.from({ length: 1_500 }, (_, index) => `none-${index}`);
      expect(await ledger.spent([...many, 'bob', 'ada'], NOON)).toEqual(
        new Map([
          ['ada', { charged: 4n, held: 0n }],
          ['bob', { charged: 7n, held: 5n }],
        ]),
      );
      expect(await ledger.spent(['ada'], TODAY - 1)).toEqual(new Map([['ada', { charged: 10n, held: 0n }]]));
      expect(await ledger.spent([], NOON)).toEqual(new Map());
    });

    test('charged entries wait for their settlement in the order in which they were booked, and the first time stays', async () => {
      const { ledger, ids } = await setUp([
        { key: 'ada', action: 'a__b', at: NOON, amount: 1n, charged: 1n, endedAt: NOON + 30 },
        { key: 'ada', action: 'a__b', at: NOON + 1, amount: 1n, charged: 1n, endedAt: NOON + 20 },
        { key: 'ada', action: 'a__b', at: NOON + 2, amount: 1n, charged: 0n, endedAt: NOON + 10 },
        { key: 'ada', action: 'a__b', at: NOON + 3, amount: 1n },
      ]);
      const waiting = async (limit = 10) => (await ledger.unsettled(limit)).map(({ invocationId }) => ids.indexOf(invocationId));
      expect(await waiting()).toEqual([1, 0]);
      expect(await waiting(1)).toEqual([1]);
      await ledger.settle(ids.slice(1, 2), 100);
      await ledger.settle([...ids.slice(1, 2), 'inv_none'], 200);
      await ledger.settle([], 300);
      expect(await waiting()).toEqual([0]);
      expect(await ledger.list({ order: 'newest', limit: 3 })).toMatchObject([{}, {}, { settledAt: 100 }]);
    });

    test('old holds are released once; charged and young ones stay', async () => {
      const { ledger, list, invocations, ids } = await setUp([
        { key: 'ada', action: 'a__b', at: TODAY - 1, amount: 9n },
        { key: 'ada', action: 'a__b', at: TODAY - 1, amount: 9n, charged: 9n },
        { key: 'ada', action: 'a__b', at: TODAY, amount: 9n },
      ]);
      await invocations.end(ids[0] ?? '', { code: 'OUTCOME_UNKNOWN', body: null, endedAt: TODAY - 1 });
      expect(await ledger.releaseHeld(TODAY, NOON)).toBe(1);
      expect(await ledger.releaseHeld(TODAY, NOON + 1)).toBe(0);
      expect(await list()).toHaveLength(3);
      expect((await ledger.list({ order: 'oldest', limit: 10 })).map(({ charged, bookedAt }) => [charged, bookedAt])).toEqual(
        expect.arrayContaining([
          [0n, NOON],
          [9n, TODAY + 5],
          [null, null],
        ]),
      );
      expect(await ledger.spent(['ada'], TODAY - 1)).toEqual(new Map([['ada', { charged: 9n, held: 0n }]]));
    });

    test("the currency is the latest entry's; undefined without entries", async () => {
      const { ledger, invocations } = await setUp([]);
      expect(await ledger.currency()).toBeUndefined();
      await pay({ invocations }, { key: 'ada', action: 'a__b', at: NOON, amount: 1n, currency: 'EUR' });
      expect(await ledger.currency()).toBe('EUR');
    });

    test('entries stay when their calls are removed', async () => {
      const { ledger, invocations, ids } = await setUp([{ key: 'ada', action: 'a__b', at: TODAY - 1, amount: 1n, charged: 1n }]);
      await invocations.forgetKeys(Date.now() + 10 * DAY_MS);
      expect(await invocations.remove(Date.now() + 10 * DAY_MS)).toBe(1);
      expect(await invocations.get(ids[0] ?? '')).toBeUndefined();
      expect(await ledger.list({ order: 'oldest', limit: 10 })).toMatchObject([{ invocationId: ids[0], charged: 1n }]);
    });
  });
}

function start({ key, action, at, amount, currency = 'USD' }: PaidCall): InvocationStart {
  const hold = { amount, currency, perDay: LARGEST };
  return aCall({ id: `${firstIdAt(at)}${randomUUID()}`, idempotencyKey: randomUUID(), agentKeyId: key, action, startedAt: at, hold });
}

async function pay({ invocations }: Pick<Store, 'invocations'>, call: PaidCall): Promise<string> {
  const started = start(call);
  await invocations.start(started);
  const { charged, endedAt = TODAY + 5 } = call;
  const outcome: InvocationOutcome | undefined = charged === undefined ? undefined : { ...OK, endedAt, charged };
  if (outcome) await invocations.end(started.id, outcome);
  return started.id;
}
