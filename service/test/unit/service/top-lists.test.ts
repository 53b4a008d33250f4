import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { StatsTopOrder } from '#sdk/protocol/admin';
import { callCounts } from '../../../src/http/admin/call-counts';
import { TopLists } from '../../../src/http/admin/top-lists';
import type { CallCount } from '../../../src/store/console-store';
import { openSqliteStore } from '../../../src/store/sqlite/open';

const DAY = 86_400_000;
const WEEK = { dimension: 'action', step: 86_400, from: 0, to: 7 * DAY } as const;
const ORDERS: StatsTopOrder[] = ['calls', 'errors', 'slowest'];

type OfAction = Pick<CallCount, 'name' | 'start' | 'code' | 'bucket' | 'calls'>;

/** Counts as in the service: those of an action are included in those of all calls. */
async function storeOf(counted: readonly OfAction[]) {
  const store = await openSqliteStore({ path: ':memory:' });
  await store.counts.add(
    counted.flatMap((count) => [
      { ...count, dimension: 'action', step: 86_400 } as const,
      { ...count, dimension: 'all', name: '', step: 86_400 } as const,
    ]),
  );
  return store;
}

const anAction = (name: string, change: Partial<OfAction> = {}): OfAction => ({
  name,
  start: 0,
  code: 'OK',
  bucket: 7,
  calls: 1,
  ...change,
});

async function idsOf(counted: readonly OfAction[], order: StatsTopOrder, limit: number, sees: (name: string) => boolean = () => true) {
  const { counts, close } = await storeOf(counted);
  const items = await new TopLists(counts).list({ ...WEEK, order, limit, sees });
  await close();
  return items.map(({ id }) => id);
}

const counted = fc.array(
  fc.record({
    name: fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `shop__${index}`)),
    start: fc.constantFrom(0, DAY, 6 * DAY, 7 * DAY),
    code: fc.constantFrom('OK', 'OK', 'ACTION_FAILED'),
    // The shortest durations are rounded to the same value.
    bucket: fc.integer({ min: 20, max: 60 }),
    calls: fc.integer({ min: 1, max: 50 }),
  }),
  { minLength: 1, maxLength: 60 },
);

test('the top entries are the same as with the counts of all actions', async () => {
  const asked = fc.tuple(counted, fc.constantFrom(...ORDERS), fc.integer({ min: 1, max: 13 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(asked, async ([all, order, limit, isMember]) => {
      const { counts, close } = await storeOf(all);
      const sees = (name: string) => !isMember || Number(name.slice('shop__'.length)) % 3 === 0;
      const told = await new TopLists(counts).list({ ...WEEK, order, limit, sees });
      const items = Array.from(
        Map.groupBy(await counts.totals(WEEK), ({ name }) => name),
        ([id, ofName]) => ({ id, ...callCounts(ofName) }),
      );
      await close();
      const value = (item: (typeof items)[number]) => (order === 'slowest' ? (item.p95Ms ?? 0) : item[order]);
      const best = items
        .filter((item) => sees(item.id) && value(item) > 0)
        .sort((a, b) => value(b) - value(a) || b.calls - a.calls || (a.id < b.id ? -1 : 1));
      expect(told).toEqual(best.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

test('equals are sorted by calls, then by name', async () => {
  const equals = ['b', 'a', 'c'].map((name) => anAction(name, { code: 'ACTION_FAILED' }));
  const all = [...equals, anAction('c')];
  expect(await idsOf(all, 'errors', 2)).toEqual(['c', 'a']);
  expect(await idsOf(all, 'slowest', 3)).toEqual(['c', 'a', 'b']);
  expect(await idsOf(all, 'calls', 3)).toEqual(['c', 'a', 'b']);
});

test('the slowest are found below one that makes most calls, and is slower than all of them', async () => {
  const others = Array.from({ length: 30 }, (_, index) => anAction(`quick__${index}`, { bucket: 10 + index }));
  const all = [anAction('busy', { bucket: 60, calls: 10_000 }), ...others];
  expect(await idsOf(all, 'slowest', 3)).toEqual(['busy', 'quick__29', 'quick__28']);
});

test('an action with a thousand outcomes counts as one action', async () => {
  const codes = Array.from({ length: 1_000 }, (_, index) => anAction('odd', { code: `CODE_${index}`, bucket: index % 80 }));
  expect(await idsOf([...codes, anAction('even', { calls: 999 })], 'calls', 2)).toEqual(['odd', 'even']);
  expect(await idsOf([...codes, anAction('even', { calls: 1_001 })], 'errors', 2)).toEqual(['odd']);
});

test('viewers of tens of thousands of actions, and of none', async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => anAction(`shop__${index}`, { calls: index + 1 }));
  const mine = new Set(many.slice(0, 35_000).map(({ name }) => name));
  const { counts, close } = await storeOf(many);
  onTestFinished(close);
  const topLists = new TopLists(counts);
  const best = async (sees: (name: string) => boolean) =>
    (await topLists.list({ ...WEEK, order: 'calls', limit: 2, sees })).map(({ id, calls }) => [id, calls]);
  expect(await best((name) => mine.has(name))).toEqual([
    ['shop__34999', 35_000],
    ['shop__34998', 34_999],
  ]);
  expect(await best(() => false)).toEqual([]);
});
