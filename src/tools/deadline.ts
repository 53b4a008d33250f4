/**
 * Work that ends with the caller's signal or after a time, whichever is first.
 *
 * Units:  `timeoutMs` in milliseconds.
 * Errors: the reason of the caller's signal, or what `timeoutError` makes; else what `work` rejects with.
 */
export interface Deadline {
  timeoutMs: number;
  timeoutError: () => Error;
  signal?: AbortSignal | undefined;
}

/** Not `AbortSignal.any` and `AbortSignal.timeout`: their timers and listeners outlive the work, one for every call of a long-lived signal. */
export async function withDeadline<T>(
  { timeoutMs, timeoutError, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs);
  const cancel = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', cancel);
  try {
    // A fetch of the caller's may not look at the signal.
    const ended = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', () => reject(controller.signal.reason)));
    return await Promise.race([work(controller.signal), ended]);
  } catch (error) {
    // A cancelled `fetch` rejects in the words of its platform; the reason is what the caller knows.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
