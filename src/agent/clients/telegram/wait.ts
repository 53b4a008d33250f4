/** Waits between tries, in milliseconds. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/**
 * Full jitter.
 *
 * @param tried tries so far, from 1 on
 */
export function jitteredMs(tried: number): number {
  return Math.random() * Math.min(MAX_MS, FIRST_MS * 2 ** (tried - 1));
}

/** Rejects with the signal's reason when it is aborted. */
export function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
