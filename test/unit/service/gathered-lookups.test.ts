import { expect, test, vi } from 'vitest';
import { GatheredLookups } from '../../../src/service/store/postgres/gathered-lookups';

test('what is asked in one turn is one question, each id once; what is asked later is another one', async () => {
  const findAll = vi.fn(async (ids: readonly string[]) => new Map(ids.filter((id) => id !== 'none').map((id) => [id, id.toUpperCase()])));
  const lookups = new GatheredLookups(findAll);
  expect(await Promise.all(['a', 'b', 'a', 'none'].map((id) => lookups.find(id)))).toEqual(['A', 'B', 'A', undefined]);
  expect(await lookups.find('a')).toBe('A');
  expect(findAll.mock.calls).toEqual([[['a', 'b', 'none']], [['a']]]);
});

test('a failure reaches all who asked, and nobody after them', async () => {
  const findAll = vi.fn(async (ids: readonly string[]) => new Map(ids.map((id) => [id, id])));
  findAll.mockRejectedValueOnce(new Error('away'));
  const lookups = new GatheredLookups(findAll);
  const settled = await Promise.allSettled([lookups.find('a'), lookups.find('b')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await lookups.find('a')).toBe('a');
});
