import { expect, onTestFinished, test, vi } from 'vitest';
import { throttle } from '../../../console/src/api/throttle';

function startPaced(everyMs: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ends: (() => void)[] = [];
  const look = throttle(() => new Promise((end) => void ends.push(end)), everyMs);
  onTestFinished(look.stop);
  return {
    look,
    runs: () => ends.length,
    async end() {
      ends.at(-1)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('the first request is met at once', () => {
  const { look, runs } = startPaced(5_000);
  look.request();
  expect(runs()).toBe(1);
});

test('requests during a run cause one more run, after its end and the pause', async () => {
  const { look, runs, end } = startPaced(5_000);
  for (let asked = 0; asked < 4; asked++) look.request();
  await end();
  look.request();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(runs()).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(runs()).toBe(2);

  await end();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(runs(), 'without a further request').toBe(2);
});

test('nothing begins any more when it was stopped', async () => {
  const { look, runs, end } = startPaced(5_000);
  look.request();
  look.request();
  look.stop();
  await end();
  look.request();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(runs()).toBe(1);
});
