import { expect, onTestFinished, test, vi } from 'vitest';
import { startGracePeriod } from '../../../src/lib/grace-period';

test('a period ends once; a stopped period does not end', () => {
  useFakeClock();
  const onEnd = vi.fn();
  startGracePeriod(5_000, onEnd);
  const stop = startGracePeriod(1_000, () => expect.fail('it was stopped'));
  stop();
  vi.advanceTimersByTime(4_999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a period that ends late, because the process was suspended, starts again', () => {
  useFakeClock();
  const onEnd = vi.fn();
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(9_000).mockReturnValueOnce(9_000);
  startGracePeriod(5_000, onEnd);
  vi.advanceTimersByTime(5_000);
  expect(onEnd).not.toHaveBeenCalled();
  now.mockReturnValue(14_000);
  vi.advanceTimersByTime(5_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

function useFakeClock(): void {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}
