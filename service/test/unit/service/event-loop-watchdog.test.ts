import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { Readiness } from '../../../src/http/readiness';
import { CurrentWork } from '../../../src/lib/current-work';
import { EventLoopWatchdog } from '../../../src/lifecycle/event-loop-watchdog';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function watched() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
  const lines: [object, string][] = [];
  const work = new CurrentWork();
  const readiness = new Readiness();
  let usedMs = 0;
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => ({ user: usedMs * 1_000 - (before?.user ?? 0), system: 0 }));
  const logger = { warn: (fields: object, message: string) => lines.push([fields, message]) };
  const watchdog = new EventLoopWatchdog({ readiness, logger: logger as never, work });
  const useCpu = (ms: number) => {
    usedMs += ms;
  };
  return { lines, work, readiness, watchdog, useCpu };
}

/** The clock of a late timer: fake timers run on time, so the clock jumps. */
function jump(ms: number) {
  const now = performance.now() + ms;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return () => vi.mocked(performance.now).mockRestore();
}

test('a late timer fails readiness for five seconds, is counted, and names the longest work', () => {
  const { lines, work, readiness, watchdog, useCpu } = watched();
  work.mark('/v1/search', 'key_quick');
  work.mark('/v1/invoke', 'key_slow');
  useCpu(1_500);
  const restore = jump(1_600);
  work.mark('/v1/toolkit', 'key_next');
  vi.advanceTimersByTime(100);
  restore();
  expect(readiness.reasons).toEqual(['the event loop was blocked']);
  expect(lines).toEqual([[expect.objectContaining({ route: '/v1/invoke', key: 'key_slow', lagMs: 1_500 }), 'event loop was blocked']]);
  expect(watchdog.activity).toEqual({ blocks: 1, blockedMs: 1_500 });
  watchdog.stop();
  expect(readiness.reasons).toEqual([]);
});

test('a process that was suspended names no key', () => {
  const { lines, work, watchdog, useCpu } = watched();
  work.mark('/v1/invoke', 'key_innocent');
  useCpu(3);
  const restore = jump(4_100);
  vi.advanceTimersByTime(100);
  restore();
  expect(lines).toEqual([[{ lagMs: 4_000, cpuMs: 3 }, 'process was suspended or had no processor']]);
  watchdog.stop();
});

test('work before the last tick, or with little of the lag, is not named as the cause', () => {
  const { lines, work, watchdog, useCpu } = watched();
  work.mark('/v1/invoke', 'key_before');
  vi.advanceTimersByTime(100);
  useCpu(2_000);
  const restore = jump(2_100);
  work.mark('/v1/search', 'key_after');
  vi.advanceTimersByTime(100);
  restore();
  expect(lines).toEqual([[{ lagMs: 2_000, cpuMs: 2_000 }, 'event loop was blocked']]);
  watchdog.stop();
});

test('a blocked event loop of a real process is noticed', async () => {
  const lines: unknown[] = [];
  const readiness = new Readiness();
  const logger = { warn: (fields: unknown, message: string) => lines.push([fields, message]) };
  const watchdog = new EventLoopWatchdog({ readiness, logger: logger as never, work: new CurrentWork() });
  await delay(150);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
  await delay(150);
  expect(readiness.reasons).toEqual(['the event loop was blocked']);
  expect(lines).toHaveLength(1);
  watchdog.stop();
});
