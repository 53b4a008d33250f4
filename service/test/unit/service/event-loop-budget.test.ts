import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopBudget } from '../../../src/lib/event-loop-budget';

/** Pieces of work of 4 ms each, on a fake clock. */
function piecesOfWork() {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const share = new EventLoopBudget();
  const done: number[] = [];
  const work = async (number: number) => {
    await share.enter();
    await Promise.resolve();
    now += 4;
    done.push(number);
  };
  return { work, done };
}

test('work beyond the share of a turn waits for the next turn, in order', async () => {
  const { work, done } = piecesOfWork();
  const doneByTurn: number[] = [];
  const watching = (async () => {
    while (done.length < 5) {
      await turn();
      doneByTurn.push(done.length);
    }
  })();
  await Promise.all([1, 2, 3, 4, 5].map(work));
  await watching;
  expect(doneByTurn).toEqual([2, 4, 5]);
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('new work is queued behind waiting work', async () => {
  const { work, done } = piecesOfWork();
  const early = [1, 2, 3].map(work);
  await turn();
  await Promise.all([...early, ...[4, 5].map(work)]);
  expect(done).toEqual([1, 2, 3, 4, 5]);
});
