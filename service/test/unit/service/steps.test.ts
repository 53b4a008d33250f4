import { expect, test } from 'vitest';
import { EventLoopBudget } from '../../../src/lib/event-loop-budget';
import { runAtOnce, runWithin, type Steps } from '../../../src/lib/steps';

function* work(steps: number, busyMs: number): Steps<string> {
  for (let step = 0; step < steps; step++) {
    for (const end = performance.now() + busyMs; performance.now() < end; );
    yield;
  }
  return 'done';
}

test('long work gives the same result at once and within a budget', async () => {
  expect(runAtOnce(work(3, 0))).toBe('done');
  expect(await runWithin(new EventLoopBudget(), work(3, 0))).toBe('done');
});

test('work within a budget lets other work run in between', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await runWithin(new EventLoopBudget(), work(20, 5));
  clearInterval(count);
  expect(turns).toBeGreaterThan(3);
});
