/** Limits the time of one request to a model. */
import { ModelRequestError } from './model-request-error';

export const MODEL_TIMEOUT_MS = 120_000;

/**
 * `AbortSignal.timeout` is not used: each request would leave a timer for two minutes.
 *
 * @param run receives a signal that aborts with the request's signal or at the timeout
 * @throws the reason of `signal`; ModelRequestError at the timeout
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
