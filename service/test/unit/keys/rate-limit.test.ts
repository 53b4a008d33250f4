import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RateLimits } from '../../../src/keys/rate-limit';

const memory = {
  counter: ({ points, seconds }: { points: number; seconds: number }) => new RateLimiterMemory({ points, duration: seconds }),
};

test('a key without a limit is not even counted', () => {
  expect(new RateLimits(memory).consume({ id: 'key_a', callsPerMinute: null })).toBeUndefined();
});

test('the call above the limit gets a wait, and is allowed after that wait', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limits = new RateLimits(memory);
  const key = { id: 'key_a', callsPerMinute: 2 };
  expect(await limits.consume(key)).toEqual({ limit: 2, remaining: 1, resetMs: 60_000 });
  vi.advanceTimersByTime(20_000);
  expect(await limits.consume(key)).toEqual({ limit: 2, remaining: 0, resetMs: 40_000 });
  await expect(limits.consume(key)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Key key_a may call 2 times a minute: wait 40 s',
    retryAfterMs: 40_000,
    retryable: true,
  });
  vi.advanceTimersByTime(40_000);
  expect(await limits.consume(key)).toEqual({ limit: 2, remaining: 1, resetMs: 60_000 });
});

test('keys do not use up the limits of each other', async () => {
  const limits = new RateLimits(memory);
  await limits.consume({ id: 'key_a', callsPerMinute: 1 });
  expect(await limits.consume({ id: 'key_b', callsPerMinute: 1 })).toMatchObject({ remaining: 0 });
  expect(await limits.consume({ id: 'key_c', callsPerMinute: 9 })).toMatchObject({ remaining: 8 });
  await expect(limits.consume({ id: 'key_a', callsPerMinute: 1 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});
