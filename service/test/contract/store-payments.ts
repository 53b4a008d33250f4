/** The contract of every store for paid calls: hold, charge and release, within the budget of the day. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { DAY_MS } from '../../src/lib/utc-day';
import { firstIdAt } from '../../src/store/sql/statements';
import type { Hold, InvocationOutcome, InvocationStart, Store } from '../../src/store/store';
import { aCall, OFFLINE, OK } from './store-records';

/** The store counts budgets from yesterday on. */
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const UNKNOWN: InvocationOutcome = { code: 'OUTCOME_UNKNOWN', body: '{"code":"OUTCOME_UNKNOWN"}', endedAt: NOW };

const hold = (amount: bigint, perDay: bigint): Hold => ({ amount, currency: 'USD', perDay });
const paid = (change: Partial<InvocationStart> & { hold: Hold }): InvocationStart =>
  aCall({ id: `${firstIdAt(NOW)}${randomUUID()}`, idempotencyKey: randomUUID(), startedAt: NOW, ...change });
const charging = (charged: bigint): InvocationOutcome => ({ ...OK, charged });

/** True: started; false: the key is taken; else the code of the refusal. */
async function start({ invocations }: Store, call: InvocationStart): Promise<boolean | string> {
  try {
    return await invocations.start(call);
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    return error.code;
  }
}

export function paymentContract(name: string, newData: () => Promise<() => Promise<Store>>, { lasting }: { lasting: boolean }): void {
  async function setUp() {
    const store = await (await newData())();
    onTestFinished(() => store.close());
    return { store };
  }
  const spentBy = async ({ ledger }: Store, agentKeyId: string, at: number) =>
    (await ledger.spent([agentKeyId], at)).get(agentKeyId) ?? { charged: 0n, held: 0n };
  const spent = (store: Store, at = NOW) => spentBy(store, 'key_agent', at);

  describe(`${name}: paid calls`, () => {
    test('a call holds its price, and is charged less', async () => {
      const { store } = await setUp();
      const call = paid({ hold: hold(50_000n, 100_000n) });
      expect(await start(store, call)).toBe(true);
      expect(await spent(store)).toEqual({ charged: 0n, held: 50_000n });
      expect(await store.invocations.end(call.id, charging(30_000n))).toEqual(charging(30_000n));
      expect(await spent(store)).toEqual({ charged: 30_000n, held: 0n });
      expect(await store.ledger.list({ order: 'oldest', limit: 10 })).toEqual([
        {
          invocationId: call.id,
          agentKeyId: 'key_agent',
          action: call.action,
          currency: 'USD',
          authorised: 50_000n,
          charged: 30_000n,
          heldAt: NOW,
          bookedAt: OK.endedAt,
          settledAt: null,
        },
      ]);
    });

    test('a call above what is left of the day is refused, holds nothing and frees its key', async () => {
      const { store } = await setUp();
      expect(await start(store, paid({ hold: hold(60_000n, 100_000n) }))).toBe(true);
      const call = paid({ idempotencyKey: 'later', hold: hold(60_000n, 100_000n) });
      await expect(store.invocations.start(call)).rejects.toMatchObject({
        code: 'PAYMENT_REQUIRED',
        retryable: false,
        details: { payment: { price: '0.06', currency: 'USD', left: '0.04', dayEndsAt: expect.stringMatching(/T00:00:00\.000Z$/) } },
      });
      expect(await store.invocations.find('key_agent', 'later')).toBeUndefined();
      expect(await spent(store)).toEqual({ charged: 0n, held: 60_000n });
      store.invocations.refused(call, { code: 'PAYMENT_REQUIRED', body: null, endedAt: NOW });
      await store.invocations.settled();
      expect(await spent(store)).toEqual({ charged: 0n, held: 60_000n });
      expect(await store.ledger.list({ order: 'oldest', limit: 10 })).toHaveLength(1);
      const cheaper = paid({ idempotencyKey: 'later', hold: hold(40_000n, 100_000n) });
      expect(await start(store, cheaper)).toBe(true);
    });

    test('a start with a taken key holds no amount, even with a used-up budget', async () => {
      const { store } = await setUp();
      expect(await start(store, paid({ idempotencyKey: 'once', hold: hold(100n, 100n) }))).toBe(true);
      expect(await start(store, paid({ idempotencyKey: 'once', hold: hold(100n, 100n) }))).toBe(false);
      expect(await spent(store)).toEqual({ charged: 0n, held: 100n });
    });

    test('a failure releases the hold, a call that never ran too', async () => {
      const { store } = await setUp();
      const [failed, offline] = [paid({ hold: hold(100n, 200n) }), paid({ hold: hold(100n, 200n) })];
      for (const call of [failed, offline]) await store.invocations.start(call);
      await store.invocations.end(failed.id, { code: 'ACTION_FAILED', body: '{}', endedAt: NOW, charged: 0n });
      store.invocations.refused(offline, OFFLINE);
      await store.invocations.settled();
      expect(await spent(store)).toEqual({ charged: 0n, held: 0n });
      expect((await store.ledger.list({ order: 'oldest', limit: 10 })).map(({ charged }) => charged)).toEqual([0n, 0n]);
      expect(await start(store, paid({ hold: hold(200n, 200n) }))).toBe(true);
    });

    test('an unknown outcome stays held until a late result, which is charged once', async () => {
      const { store } = await setUp();
      const call = paid({ hold: hold(100n, 100n) });
      await store.invocations.start(call);
      await store.invocations.end(call.id, UNKNOWN);
      expect(await spent(store)).toEqual({ charged: 0n, held: 100n });
      expect(await start(store, paid({ hold: hold(1n, 100n) }))).toBe('PAYMENT_REQUIRED');
      await store.invocations.end(call.id, charging(70n));
      expect(await spent(store)).toEqual({ charged: 70n, held: 0n });
      const again = { ...charging(90n), body: '{"sum":4}' };
      expect(await store.invocations.end(call.id, again)).toMatchObject({ code: 'OK', body: OK.body });
      expect(await spent(store)).toEqual({ charged: 70n, held: 0n });
      expect((await store.invocations.get(call.id))?.outcome).toMatchObject({ body: OK.body });
    });

    test('each UTC day has a separate budget, and a call is booked on the day of its hold', async () => {
      const { store } = await setUp();
      const midnight = Math.floor(NOW / DAY_MS) * DAY_MS;
      const before = paid({ hold: hold(100n, 100n), startedAt: midnight - 1 });
      const after = paid({ hold: hold(100n, 100n), startedAt: midnight });
      expect(await start(store, before)).toBe(true);
      expect(await start(store, paid({ hold: hold(1n, 100n), startedAt: midnight - 1 }))).toBe('PAYMENT_REQUIRED');
      expect(await start(store, after)).toBe(true);
      await store.invocations.end(before.id, { ...charging(100n), endedAt: midnight + 5 });
      expect(await spent(store, midnight - 1)).toEqual({ charged: 100n, held: 0n });
      expect(await spent(store, midnight)).toEqual({ charged: 0n, held: 100n });
    });

    test('a budget below what is held refuses new calls and keeps the old ones', async () => {
      const { store } = await setUp();
      const call = paid({ hold: hold(100n, 100n) });
      await store.invocations.start(call);
      await expect(store.invocations.start(paid({ hold: hold(1n, 50n) }))).rejects.toMatchObject({ details: { payment: { left: '0' } } });
      await store.invocations.end(call.id, charging(100n));
      expect(await spent(store)).toEqual({ charged: 100n, held: 0n });
    });

    test('amounts beyond the exact integers of JavaScript are exact', async () => {
      const { store } = await setUp();
      const largest = 999_999_999_999_999_999n;
      const call = paid({ hold: hold(largest, largest) });
      await store.invocations.start(call);
      await store.invocations.end(call.id, charging(largest - 1n));
      expect(await spent(store)).toEqual({ charged: largest - 1n, held: 0n });
      expect(await start(store, paid({ hold: hold(1n, largest) }))).toBe(true);
      expect(await start(store, paid({ hold: hold(1n, largest) }))).toBe('PAYMENT_REQUIRED');
    });

    test('of a hundred calls at once, as many start as the budget covers', async () => {
      const { store } = await setUp();
      const calls = Array.from({ length: 100 }, () => paid({ hold: hold(7n, 100n) }));
      const started = await Promise.all(calls.map((call) => start(store, call)));
      expect(started.filter((each) => each === true)).toHaveLength(14);
      expect(started.filter((each) => each === 'PAYMENT_REQUIRED')).toHaveLength(86);
      expect(await spent(store)).toEqual({ charged: 0n, held: 98n });
    });

    test('any order of starts, outcomes and refusals keeps to the budget, and the ledger has what was booked', {
      timeout: 60_000,
    }, async () => {
      const steps = fc.array(
        fc.record({
          what: fc.constantFrom('start', 'start', 'charge', 'fail', 'unknown', 'refuse'),
          amount: fc.bigInt({ min: 1n, max: 60n }),
          place: fc.nat(),
        }),
        { maxLength: 40 },
      );
      const { store } = await setUp();
      const property = fc.asyncProperty(steps, async (sequence) => {
        const agentKeyId = `key_${randomUUID()}`;
        const calls: { call: InvocationStart; booked: bigint | undefined; freed: boolean }[] = [];
        const total = () => calls.reduce((sum, { call, booked }) => sum + (booked ?? call.hold?.amount ?? 0n), 0n);
        for (const { what, amount, place } of sequence) {
          if (what === 'start') {
            const call = paid({ agentKeyId, hold: hold(amount, 100n) });
            const covered = total() + amount <= 100n;
            expect(await start(store, call)).toBe(covered ? true : 'PAYMENT_REQUIRED');
            if (covered) calls.push({ call, booked: undefined, freed: false });
            continue;
          }
          const target = calls[place % Math.max(1, calls.length)];
          if (!target || target.freed) continue;
          const most = target.call.hold?.amount ?? 0n;
          if (what === 'refuse') {
            if (target.booked !== undefined) continue;
            store.invocations.refused(target.call, OFFLINE);
            await store.invocations.settled();
            target.freed = true;
            target.booked = 0n;
          } else if (what === 'unknown') await store.invocations.end(target.call.id, UNKNOWN);
          else {
            const charged = what === 'fail' ? 0n : amount < most ? amount : most;
            await store.invocations.end(target.call.id, {
              code: what === 'fail' ? 'ACTION_FAILED' : 'OK',
              body: '1',
              endedAt: NOW,
              charged,
            });
            target.booked ??= charged;
          }
        }
        const booked = calls.reduce((sum, call) => sum + (call.booked ?? 0n), 0n);
        expect(await spentBy(store, agentKeyId, NOW)).toEqual({ charged: booked, held: total() - booked });
        const entries = await store.ledger.list({ agentKeyId, order: 'oldest', limit: 100 });
        const byId = new Map(entries.map(({ invocationId, charged }) => [invocationId, charged]));
        expect(byId).toEqual(new Map(calls.map((each) => [each.call.id, each.booked ?? null])));
      });
      await fc.assert(property, { numRuns: 40 });
    });

    test('charged entries are settled in the order in which they were booked, each until it is marked', async () => {
      const { store } = await setUp();
      const calls = Array.from({ length: 5 }, () => paid({ hold: hold(10n, 100n) }));
      for (const call of calls) await store.invocations.start(call);
      const [first, second, free, failed] = calls as [InvocationStart, InvocationStart, InvocationStart, InvocationStart];
      await store.invocations.end(second.id, { ...charging(7n), endedAt: NOW + 1 });
      await store.invocations.end(first.id, { ...charging(9n), endedAt: NOW + 2 });
      await store.invocations.end(free.id, { ...charging(0n), endedAt: NOW + 3 });
      await store.invocations.end(failed.id, { code: 'ACTION_FAILED', body: '{}', endedAt: NOW + 4, charged: 0n });
      const ran = await store.settling(async (ledger) => {
        expect((await ledger.unsettled(10)).map(({ invocationId }) => invocationId)).toEqual([second.id, first.id]);
        expect((await ledger.unsettled(1)).map(({ invocationId }) => invocationId)).toEqual([second.id]);
        await ledger.settle([second.id], NOW + 10);
        await ledger.settle([second.id], NOW + 20);
        expect((await ledger.unsettled(10)).map(({ invocationId }) => invocationId)).toEqual([first.id]);
      });
      expect(ran).toBe(true);
      const entries = await store.ledger.list({ order: 'oldest', limit: 10 });
      expect(entries.filter(({ settledAt }) => settledAt !== null)).toMatchObject([{ invocationId: second.id, settledAt: NOW + 10 }]);
    });

    test('an error in the settlement reaches its caller, and the next one can begin', async () => {
      const { store } = await setUp();
      await expect(store.settling(() => Promise.reject(new Error('it ended')))).rejects.toThrow('it ended');
      expect(await store.settling(async () => {})).toBe(true);
    });

    test('an expired hold is released, and a later outcome does not charge it; that of a running call stays', async () => {
      const { store } = await setUp();
      const [running, unknown, young, charged] = [
        paid({ hold: hold(10n, 100n), startedAt: NOW - DAY_MS - 2 }),
        paid({ hold: hold(10n, 100n), startedAt: NOW - DAY_MS - 1 }),
        paid({ hold: hold(10n, 100n), startedAt: NOW - DAY_MS }),
        paid({ hold: hold(10n, 100n), startedAt: NOW - DAY_MS - 2 }),
      ];
      for (const call of [running, unknown, young, charged]) await store.invocations.start(call);
      await store.invocations.end(unknown.id, { ...UNKNOWN, endedAt: NOW - DAY_MS - 1 });
      await store.invocations.end(charged.id, charging(4n));
      expect(await store.ledger.releaseHeld(NOW - DAY_MS, NOW)).toBe(1);
      expect(await store.ledger.releaseHeld(NOW - DAY_MS, NOW + 1)).toBe(0);
      const entries = async () =>
        new Map(
          (await store.ledger.list({ order: 'oldest', limit: 10 })).map((entry) => [entry.invocationId, [entry.charged, entry.bookedAt]]),
        );
      const released = new Map([
        [running.id, [null, null]],
        [unknown.id, [0n, NOW]],
        [young.id, [null, null]],
        [charged.id, [4n, OK.endedAt]],
      ]);
      expect(await entries()).toEqual(released);
      await store.invocations.end(unknown.id, { ...charging(10n), endedAt: NOW + 2 });
      await store.invocations.settled();
      expect(await entries()).toEqual(released);
      await store.invocations.end(running.id, { ...UNKNOWN, endedAt: NOW });
      expect(await store.ledger.releaseHeld(NOW, NOW + 3)).toBe(0);
      await store.invocations.end(running.id, { ...charging(10n), endedAt: NOW + 4 });
      await store.invocations.settled();
      expect(await entries()).toEqual(released.set(running.id, [10n, NOW + 4]));
    });

    if (lasting) {
      test('holds and charges are kept after the store was closed and opened', async () => {
        const open = await newData();
        const store = await open();
        const [ended, running] = [paid({ hold: hold(40n, 100n) }), paid({ hold: hold(30n, 100n) })];
        for (const call of [ended, running]) await store.invocations.start(call);
        await store.invocations.end(ended.id, charging(20n));
        await store.close();
        const next = await open();
        onTestFinished(() => next.close());
        expect(await spent(next)).toEqual({ charged: 20n, held: 30n });
        expect(await start(next, paid({ hold: hold(51n, 100n) }))).toBe('PAYMENT_REQUIRED');
        expect(await next.invocations.get(running.id)).toMatchObject({ hold: { amount: 30n, currency: 'USD' }, outcome: null });
        expect((await next.invocations.get(ended.id))?.outcome).toEqual(charging(20n));
        await next.invocations.end(running.id, charging(30n));
        expect(await start(next, paid({ hold: hold(50n, 100n) }))).toBe(true);
        expect(await spent(next)).toEqual({ charged: 50n, held: 50n });
      });
    }
  });
}
