/** The contract of every store for counts of calls and searches. */
import { describe, expect, test } from 'vitest';
import type { CallCount, SearchCount } from '../../src/store/console-store';
import type { Store } from '../../src/store/store';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const aCount = (change: Partial<CallCount> = {}): CallCount => ({
  dimension: 'action',
  name: 'weather__now',
  step: 3_600,
  start: 0,
  code: 'OK',
  bucket: 7,
  calls: 1,
  ...change,
});

const aSearch = (change: Partial<SearchCount> = {}): SearchCount => ({
  day: 0,
  query: 'weather',
  searches: 1,
  empty: 0,
  used: 0,
  lastAt: 5,
  ...change,
});

export function countContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: counts`, () => {
    const hours = { dimension: 'action', step: 3_600, from: 0, to: 10 * HOUR } as const;

    test('calls are added to existing counts, in the same step or another', async () => {
      const { counts } = await newStore();
      await counts.add([]);
      await counts.add([aCount({ calls: 2 }), aCount({ calls: 3 }), aCount({ code: 'ACTION_FAILED' }), aCount({ start: HOUR, bucket: 9 })]);
      await counts.add([aCount({ calls: 4 })]);
      expect(await counts.series({ ...hours, names: ['weather__now'] })).toEqual([
        { start: 0, code: 'ACTION_FAILED', bucket: 7, calls: 1 },
        { start: 0, code: 'OK', bucket: 7, calls: 9 },
        { start: HOUR, code: 'OK', bucket: 9, calls: 1 },
      ]);
    });

    test('names are kept as they are written', async () => {
      const { counts } = await newStore();
      const names = ['', '7', 'null', `it's "quoted" \\ $1 ?`, '木😀'];
      await counts.add(names.map((name) => aCount({ name, calls: 2 ** 40 })));
      const totals = await counts.totals(hours);
      expect(totals.map(({ name, calls }) => [name, calls])).toEqual(expect.arrayContaining(names.map((name) => [name, 2 ** 40])));
    });

    test('a series sums its names within its range, dimension and step', async () => {
      const { counts } = await newStore();
      await counts.add([
        aCount({ start: HOUR }),
        aCount({ start: HOUR, name: 'weather__then', calls: 2 }),
        aCount({ start: HOUR, name: 'maps__route' }),
        aCount({ start: HOUR, dimension: 'key', name: 'weather__now' }),
        aCount({ start: HOUR, step: 60 }),
        aCount({ start: 0 }),
        aCount({ start: 2 * HOUR }),
      ]);
      const names = ['weather__now', 'weather__then'];
      expect(await counts.series({ ...hours, from: HOUR, to: 2 * HOUR, names })).toEqual([
        { start: HOUR, code: 'OK', bucket: 7, calls: 3 },
      ]);
      expect(await counts.series({ ...hours, names: [] })).toEqual([]);
    });

    test('totals are returned for all names or for some', async () => {
      const { counts } = await newStore();
      await counts.add([aCount(), aCount({ start: HOUR }), aCount({ name: 'maps__route', code: 'ACTION_FAILED', calls: 5 })]);
      const maps = { name: 'maps__route', code: 'ACTION_FAILED', bucket: 7, calls: 5 };
      const weather = { name: 'weather__now', code: 'OK', bucket: 7, calls: 2 };
      expect(await counts.totals(hours)).toEqual([maps, weather]);
      expect(await counts.totals({ ...hours, names: ['weather__now'] })).toEqual([weather]);
      expect(await counts.totals({ ...hours, names: [] })).toEqual([]);
    });

    test('totals of few names over few steps are those of all', async () => {
      const { counts } = await newStore();
      const starts = [0, HOUR, 9 * HOUR, 10 * HOUR];
      await counts.add(
        starts.flatMap((start) => [aCount({ start }), aCount({ start, name: 'maps__route' }), aCount({ start, code: 'QUEUE_FULL' })]),
      );
      const names = ['weather__now', 'maps__route', 'nobody__ever'];
      expect(await counts.totals({ ...hours, names })).toEqual(await counts.totals(hours));
      const [between, never] = [
        { ...hours, from: 1, to: HOUR + 1, names },
        { ...hours, from: HOUR, to: HOUR, names },
      ];
      expect((await counts.totals(between)).map(({ calls }) => calls)).toEqual([1, 1, 1]);
      expect((await counts.series(between)).map(({ start, calls }) => [start, calls])).toEqual([
        [HOUR, 2],
        [HOUR, 1],
      ]);
      expect(await counts.totals(never)).toEqual([]);
      // Too many of both to look up each.
      const many = Array.from({ length: 3_000 }, (_, index) => `maps__${index}`);
      expect(await counts.totals({ ...hours, names: [...names, ...many] })).toEqual(await counts.totals(hours));
      expect(await counts.totals({ ...hours, to: Number.MAX_SAFE_INTEGER, names: ['maps__route'] })).toMatchObject([{ calls: 4 }]);
    });

    test('totals can be returned for long calls only', async () => {
      const { counts } = await newStore();
      await counts.add([aCount({ bucket: 0 }), aCount({ bucket: 40 }), aCount({ bucket: 41, calls: 2 }), aCount({ name: 'maps__route' })]);
      const long = await counts.totals({ ...hours, fromBucket: 41 });
      expect(long).toEqual([{ name: 'weather__now', code: 'OK', bucket: 41, calls: 2 }]);
      expect(await counts.totals({ ...hours, fromBucket: 0 })).toHaveLength(4);
    });

    for (const step of [60, 3_600, 86_400] as const) {
      test(`sums tell calls and errors of each name, by steps of ${step} s`, async () => {
        const { counts } = await newStore();
        const codes = Array.from({ length: 1_000 }, (_, index) => aCount({ step, name: 'maps__route', code: `CODE_${index}` }));
        await counts.add([aCount({ step, calls: 2 }), aCount({ step, code: 'QUEUE_FULL', bucket: 9 }), ...codes]);
        await counts.add([aCount({ step, calls: 3 }), aCount({ step, start: DAY, calls: 5 }), aCount({ step, start: 2 * DAY })]);
        await counts.add([aCount({ step, dimension: 'key' }), aCount({ step, dimension: 'all', name: '', calls: 7 })]);
        const query = { dimension: 'action', step, from: 0, to: 2 * DAY } as const;
        expect(await counts.sums(query)).toEqual([
          { name: 'maps__route', calls: 1_000, errors: 1_000 },
          { name: 'weather__now', calls: 11, errors: 1 },
        ]);
        expect(await counts.sums({ ...query, dimension: 'all' })).toEqual([{ name: '', calls: 7, errors: 0 }]);
        await counts.prune({ step, before: DAY });
        expect(await counts.sums(query)).toEqual([{ name: 'weather__now', calls: 5, errors: 0 }]);
      });
    }

    test('old steps of one length are pruned', async () => {
      const { counts } = await newStore();
      await counts.add([aCount(), aCount({ start: HOUR }), aCount({ step: 60 })]);
      expect(await counts.prune({ step: 3_600, before: HOUR })).toBe(1);
      expect(await counts.totals(hours)).toMatchObject([{ calls: 1 }]);
      expect(await counts.totals({ ...hours, step: 60 })).toMatchObject([{ calls: 1 }]);
    });

    test('thousands of rows fit into one addition', async () => {
      const { counts } = await newStore();
      await counts.add(Array.from({ length: 5_000 }, (_, index) => aCount({ name: `action_${index}` })));
      expect(await counts.totals(hours)).toHaveLength(5_000);
    });
  });

  describe(`${name}: searches`, () => {
    const all = { limit: 10, offset: 0, unmet: false } as const;

    test('a search is summed over days; a key that repeats it counts once', async () => {
      const { searches } = await newStore();
      await searches.add([
        aSearch({ agentKeyIds: ['a', 'b'], searches: 3, used: 1, lastAt: 9 }),
        aSearch({ action: 'weather__now', searches: 3, used: 1 }),
        aSearch({ action: 'maps__route', searches: 1 }),
      ]);
      await searches.add([aSearch({ agentKeyIds: ['a'], lastAt: 7 })]);
      await searches.add([
        aSearch({ day: DAY, agentKeyIds: ['a'], empty: 1, lastAt: DAY + 1 }),
        aSearch({ day: DAY, action: 'weather__now', searches: 2 }),
      ]);
      expect(await searches.list(all)).toEqual([
        {
          query: 'weather',
          searches: 5,
          keys: 2,
          empty: 1,
          used: 1,
          lastAt: DAY + 1,
          actions: [
            { action: 'weather__now', shown: 5, used: 1 },
            { action: 'maps__route', shown: 1, used: 0 },
          ],
        },
      ]);
    });

    test('the searches of most keys are listed first, then the most frequent ones, page by page', async () => {
      const { searches } = await newStore();
      await searches.add([
        aSearch({ query: 'often', searches: 100, agentKeyIds: ['a'] }),
        aSearch({ query: 'by many', searches: 2, agentKeyIds: ['a', 'b'] }),
        aSearch({ query: 'rare', searches: 1, agentKeyIds: ['b'] }),
      ]);
      const queries = async (query: { limit: number; offset: number }) =>
        (await searches.list({ unmet: false, ...query })).map((search) => search.query);
      expect(await queries(all)).toEqual(['by many', 'often', 'rare']);
      expect(await queries({ limit: 1, offset: 1 })).toEqual(['often']);
    });

    test('searches can be listed that several keys sent, or one of the given keys', async () => {
      const { searches } = await newStore();
      await searches.add([
        aSearch({ query: 'shared', agentKeyIds: ['key_a', 'key_b'] }),
        aSearch({ query: 'of a', agentKeyIds: ['key_a'] }),
        aSearch({ query: 'of c', agentKeyIds: ['key_c'] }),
        aSearch({ query: 'of nobody' }),
      ]);
      const queries = async (sharedWith: string[]) => (await searches.list({ ...all, sharedWith })).map((search) => search.query).sort();
      expect(await queries([])).toEqual(['shared']);
      expect(await queries(['key_c'])).toEqual(['of c', 'shared']);
    });

    test('unused searches, and searches that showed an action, can be listed', async () => {
      const { searches } = await newStore();
      await searches.add([
        aSearch({ query: 'met', used: 1 }),
        aSearch({ query: 'met', action: 'weather__now' }),
        aSearch({ query: 'unmet' }),
        aSearch({ query: 'unmet', action: 'maps__route' }),
        aSearch({ query: 'empty', empty: 1 }),
      ]);
      const queries = async (query: { unmet: boolean; actions?: string[] }) =>
        (await searches.list({ ...all, ...query })).map((search) => search.query).sort();
      expect(await queries({ unmet: true })).toEqual(['empty', 'unmet']);
      expect(await queries({ unmet: false, actions: ['weather__now', 'maps__route'] })).toEqual(['met', 'unmet']);
      expect(await queries({ unmet: true, actions: ['weather__now'] })).toEqual([]);
      expect(await queries({ unmet: false, actions: [] })).toEqual([]);
    });

    test('at most twenty actions are returned for each search', async () => {
      const { searches } = await newStore();
      const shown = Array.from({ length: 30 }, (_, index) => aSearch({ action: `weather__${index}`, searches: index + 1 }));
      await searches.add([aSearch(), ...shown]);
      const [search] = await searches.list(all);
      expect(search?.actions.map((action) => action.shown)).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index));
    });

    test('old days are pruned, and everything can be removed', async () => {
      const { searches } = await newStore();
      await searches.add([aSearch({ query: 'old', agentKeyIds: ['a'] }), aSearch({ query: 'new', day: DAY, agentKeyIds: ['a'] })]);
      await searches.prune(DAY);
      expect(await searches.list(all)).toMatchObject([{ query: 'new', keys: 1 }]);
      await searches.clear();
      expect(await searches.list(all)).toEqual([]);
    });
  });
}
