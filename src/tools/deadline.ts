/**
 * Runs work until it ends, the caller's signal aborts, or the time is over.
 *
 * Units:  `timeoutMs` in milliseconds.
 * Errors: the reason of the caller's signal, the error of `timeoutError`, or the error of `work`.
 */
export interface Deadline {
  timeoutMs: number;
  timeoutError: () => Error;
  signal?: AbortSignal | undefined;
}

/** Not `AbortSignal.any` and `AbortSignal.timeout`: on a long-lived signal, each call would leave a timer and a listener behind. */
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
    // The caller's own fetch may ignore the signal.
    const ended = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', () => reject(controller.signal.reason)));
    return await Promise.race([work(controller.signal), ended]);
  } catch (error) {
    // A cancelled `fetch` rejects with an error of its platform; the caller expects the reason of the signal.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
