import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Backoff } from '../../../src/toolkit/backoff';
import { Heartbeat } from '../../../src/toolkit/heartbeat';

test('a caller with short waiting times keeps short ones', () => {
  const times = [0, 1, 0, 0, 1, 0.5, 1];
  const backoff = new Backoff(() => times.shift() ?? 0);
  expect(Array.from({ length: 7 }, () => backoff.nextMs())).toEqual([0, 250, 0, 0, 500, 500, 1_500]);
  backoff.reset();
  expect(backoff.nextMs(1_000)).toBe(1_000);
  times.push(1);
  expect(backoff.nextMs()).toBe(1_250);
});

test('waiting times lie between 0 and min(30 s, 250 ms * 2^n), and start again after a success', () => {
  const longest = new Backoff(() => 1);
  const times = Array.from({ length: 9 }, () => longest.nextMs());
  expect(times).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  longest.reset();
  expect(longest.nextMs()).toBe(250);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(2_000), (random, failures) => {
      const backoff = new Backoff(() => random);
      for (let n = 0; n < failures; n++) backoff.nextMs();
      const ms = backoff.nextMs();
      return ms >= 0 && ms <= Math.min(30_000, 250 * 2 ** failures);
    }),
  );
});

function heartbeatAt(everyMs: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: Array<() => void> = [];
  const lost = vi.fn();
  const heartbeat = new Heartbeat(everyMs, { beat: (answered) => answers.push(answered), lost });
  return { heartbeat, answers, lost };
}

test('heartbeats are sent one at a time, and an early one reschedules the next', async () => {
  const { heartbeat, answers } = heartbeatAt(1_000);
  await vi.advanceTimersByTimeAsync(900);
  heartbeat.now();
  heartbeat.now();
  expect(answers).toHaveLength(1);
  answers[0]?.();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(999);
  expect(answers).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toHaveLength(3);
  heartbeat.stop();
  answers[2]?.();
  heartbeat.now();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answers).toHaveLength(3);
});

test('an early heartbeat is sent once, and the next after the usual interval', async () => {
  const { heartbeat, answers } = heartbeatAt(1_000);
  heartbeat.within(100);
  await vi.advanceTimersByTimeAsync(50);
  heartbeat.within(100);
  await vi.advanceTimersByTimeAsync(50);
  expect(answers).toHaveLength(1);
  heartbeat.within(100);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(999);
  expect(answers).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toHaveLength(2);
});

test('an answer that waits in the socket at the timeout still counts', async () => {
  const { answers, lost } = heartbeatAt(1_000);
  await vi.advanceTimersByTimeAsync(1_999);
  vi.advanceTimersByTime(1);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  expect(lost).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lost).toHaveBeenCalledOnce();
});
