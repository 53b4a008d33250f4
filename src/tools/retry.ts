/**
 * Retries requests that are safe to retry, within the caller's time limit.
 *
 * Rule:   retries when the service cannot be reached, or refuses with `retryable` and `retryAfterMs`. After any other error the answer would be
 *         the same, or the action may have run.
 * Units:  milliseconds.
 */
import { fullJitterMs } from '../protocol/backoff';
import { SvcError } from '../protocol/errors';

const MAX_TRIES = 3;
const BACKOFF = { firstMs: 250, longestMs: 1_000 };

export async function withRetries<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  attempt: (remainingMs: number) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(endsAt - performance.now());
    } catch (error) {
      const waitMs = retryDelayMs(error, tries);
      if (waitMs === undefined || performance.now() + waitMs >= endsAt) throw error;
      await sleep(waitMs, signal);
      signal?.throwIfAborted();
      // A process that was busy wakes up late.
      if (performance.now() >= endsAt) throw error;
    }
  }
}

/** Undefined for an error that is not retried. */
export function retryDelayMs(error: unknown, tries: number): number | undefined {
  if (tries >= MAX_TRIES || !SvcError.is(error) || !error.retryable) return undefined;
  if (error.code !== 'SERVICE_UNREACHABLE' && error.retryAfterMs === undefined) return undefined;
  return (error.retryAfterMs ?? 0) + fullJitterMs(tries, BACKOFF);
}

/** Resolves early when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
