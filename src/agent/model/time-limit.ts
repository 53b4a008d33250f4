/** The time that one request to a model may take. */
import { ModelRequestError } from './model-request-error';

export const MODEL_TIMEOUT_MS = 120_000;

/**
 * Not `AbortSignal.timeout`: each request would leave a timer behind for two minutes.
 *
 * @param run gets a signal that ends with the request's, or when time is up
 * @throws the reason of `signal`; ModelRequestError when time is up
 */
export async function withTimeLimit<T>(signal: AbortSignal, timeoutMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), timeoutMs);
  try {
    return await run(AbortSignal.any([signal, timeUp.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (timeUp.signal.aborted) throw new ModelRequestError(`The model did not answer in ${timeoutMs / 1_000} seconds`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
