import { expect, test } from 'vitest';
import { mapConcurrent } from '../../../src/tools/concurrency';

test('at most two tasks run at a time, and the results keep the order', async () => {
  let working = 0;
  let most = 0;
  const results = await mapConcurrent([5, 1, 4, 2, 3], 2, async (turns) => {
    most = Math.max(most, ++working);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    working--;
    return turns * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test('after a rejection no further task is started', async () => {
  const started: number[] = [];
  const work = mapConcurrent([1, 2, 3, 4, 5, 6], 2, async (item) => {
    started.push(item);
    await Promise.resolve();
    if (item === 2) throw new Error('two');
  });
  await expect(work).rejects.toThrow('two');
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual([1, 2, 3]);
});

test('nothing to do is done', async () => {
  expect(await mapConcurrent([], 3, () => Promise.reject(new Error()))).toEqual([]);
});
