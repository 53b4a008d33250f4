/** Limits for a client, in milliseconds: far more than it needs, so that a busy machine changes no result. */

/** A message, a start, a reply; also after a fault. */
export const ANSWER_MS = 15_000;
/** The agent gives `stop()` as long. */
export const STOP_MS = 5_000;

/** @param problem the error's message when time is up */
export async function inTime<T>(work: Promise<T>, limitMs: number, problem: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${problem} in ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
