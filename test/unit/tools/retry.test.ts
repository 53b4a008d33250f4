import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError } from '../../../src/index';
import { retryDelayMs, withRetries } from '../../../src/tools/retry';

const unreachable = new SvcError('SERVICE_UNREACHABLE', 'nobody there');

/** Each wait clears its timer. The connections of earlier tests in this process may set timers too, which are not counted. */
function fakeTimers(): void {
  vi.useFakeTimers();
  const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => {
    const waits = set.mock.results.filter((_, index) => set.mock.calls[index]?.[0].name === 'end').map(({ value }) => value);
    const ended = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    expect(waits.filter((timer) => !ended.has(timer))).toEqual([]);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

test.each([
  ['a service that cannot be reached', unreachable, true],
  ['a refusal that says when to come back', new SvcError('RATE_LIMITED', '', { retryAfterMs: 1 }), true],
  ['a retryable error that does not say when', new SvcError('TOOLKIT_OFFLINE', ''), false],
  ['a page of something that is no service', new SvcError('SERVICE_UNREACHABLE', '', { retryable: false }), false],
  ['an unknown outcome', new SvcError('OUTCOME_UNKNOWN', '', { retryAfterMs: 1 }), false],
  ['a failed action', new SvcError('ACTION_FAILED', '', { retryAfterMs: 1 }), false],
  ['a time-out', new SvcError('INVOCATION_TIMEOUT', '', { retryAfterMs: 1 }), false],
  ['a fault of the caller', new TypeError('x is not a function'), false],
])('%s: tried again is %3$s', (_name, error, again) => {
  expect(retryDelayMs(error, 1) !== undefined).toBe(again);
  expect(retryDelayMs(error, 3)).toBeUndefined();
});

test('the wait is random below a bound that doubles, plus the wait that the service requested', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => random.mockRestore());
  expect([retryDelayMs(unreachable, 1), retryDelayMs(unreachable, 2)]).toEqual([250, 500]);
  expect(retryDelayMs(new SvcError('QUEUE_FULL', '', { retryAfterMs: 2_000 }), 1)).toBe(2_250);
});

test('three tries at most, then the last error', async () => {
  fakeTimers();
  const attempt = vi.fn(() => Promise.reject(unreachable));
  const outcome = expect(withRetries({ timeoutMs: 10_000 }, attempt)).rejects.toBe(unreachable);
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('a wait that does not fit the time that is left is not begun', async () => {
  fakeTimers();
  const busy = new SvcError('RATE_LIMITED', 'later', { retryAfterMs: 1_000 });
  const attempt = vi.fn(() => Promise.reject(busy));
  await expect(withRetries({ timeoutMs: 1_000 }, attempt)).rejects.toBe(busy);
  expect(attempt).toHaveBeenCalledTimes(1);
});

test('each try gets the remaining time', async () => {
  fakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const remaining: number[] = [];
  const outcome = withRetries({ timeoutMs: 1_000 }, async (remainingMs) => {
    remaining.push(remainingMs);
    if (remaining.length === 1) throw new SvcError('RATE_LIMITED', '', { retryAfterMs: 400 });
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
  expect(remaining).toEqual([1_000, 600]);
});

test('an abort ends the wait at once, with its reason', async () => {
  fakeTimers();
  const controller = new AbortController();
  const outcome = expect(withRetries({ timeoutMs: 10_000, signal: controller.signal }, () => Promise.reject(unreachable))).rejects.toBe(
    'enough',
  );
  await vi.advanceTimersByTimeAsync(0);
  controller.abort('enough');
  await outcome;
});

test('a process that wakes up after the time limit does not try again', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const attempt = vi.fn(() => {
    // It runs before the timer of the wait.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60));
    return Promise.reject(unreachable);
  });
  await expect(withRetries({ timeoutMs: 50 }, attempt)).rejects.toBe(unreachable);
  expect(attempt).toHaveBeenCalledOnce();
});
