import { describe, expect, test } from 'vitest';
import type { Misfit } from '../../src/store/misfit-store';
import type { Store } from '../../src/store/store';

const misfit = (change: Partial<Misfit> = {}): Misfit => ({
  action: 'shop__get',
  version: 'v1',
  path: '/id',
  results: 1,
  lastAt: 5,
  ...change,
});

export function misfitContract(name: string, setUp: () => Promise<Store>): void {
  describe(`${name}: misfits of results`, () => {
    test('are added up by action, version and path, with the latest time', async () => {
      const { misfits } = await setUp();
      await misfits.add([]);
      await misfits.add([misfit({ lastAt: 2 ** 41 }), misfit({ path: '' }), misfit({ version: 'v2', results: 3 })]);
      await misfits.add([misfit({ results: 4 }), misfit({ action: 'shop__a' })]);
      expect(await misfits.since(0)).toEqual([
        misfit({ action: 'shop__a' }),
        misfit({ path: '' }),
        misfit({ results: 5, lastAt: 2 ** 41 }),
        misfit({ version: 'v2', results: 3 }),
      ]);
      expect(await misfits.since(6)).toEqual([misfit({ results: 5, lastAt: 2 ** 41 })]);
    });

    test('of two writers at once are all counted', async () => {
      const { misfits } = await setUp();
      const paths = Array.from({ length: 20 }, (_, index) => misfit({ path: `/${index}` }));
      await Promise.all([misfits.add(paths), misfits.add(paths.toReversed())]);
      expect((await misfits.since(0)).map(({ results }) => results)).toEqual(Array(20).fill(2));
    });

    test('are removed by version and by age', async () => {
      const { misfits } = await setUp();
      await misfits.add([misfit(), misfit({ path: '' }), misfit({ version: 'v2' }), misfit({ version: 'v2', path: '', lastAt: 9 })]);
      await misfits.remove([{ action: 'shop__get', version: 'v1' }]);
      expect(await misfits.since(0)).toHaveLength(2);
      await misfits.prune(9);
      expect(await misfits.since(0)).toEqual([misfit({ version: 'v2', path: '', lastAt: 9 })]);
    });
  });
}
