/** Timeouts in milliseconds, long enough for a busy machine. */

/** Timeout of a message, a start or a reply, also after a fault. */
export const ANSWER_MS = 15_000;
/** The agent's timeout of `stop()`. */
export const STOP_MS = 5_000;

/** @param problem the error message at the timeout */
export async function inTime<T>(work: Promise<T>, limitMs: number, problem: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${problem} in ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
