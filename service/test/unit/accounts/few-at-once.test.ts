import { expect, test, vi } from 'vitest';
import { Semaphore } from '../../../src/lib/semaphore';

test('a few work at once, others wait in line, and beyond the line they are refused', async () => {
  const few = new Semaphore({ atOnce: 2, waiting: 2 });
  const ends: (() => void)[] = [];
  const work = () => few.run(() => new Promise<void>((resolve) => ends.push(resolve)));
  const all = [work(), work(), work(), work()];
  await expect(work()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3_000 });
  expect(ends).toHaveLength(2);
  for (let done = 0; done < all.length; done++) {
    ends[done]?.();
    await all[done];
    await vi.waitFor(() => expect(ends).toHaveLength(Math.min(4, done + 3)));
  }
  await expect(few.run(async () => 'again')).resolves.toBe('again');
});

test('work that fails makes room', async () => {
  const few = new Semaphore({ atOnce: 1, waiting: 0 });
  await expect(few.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(few.run(async () => 'next')).resolves.toBe('next');
});
