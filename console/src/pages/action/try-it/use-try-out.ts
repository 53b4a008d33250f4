/** One call at a time from the page: running, ended as it ends for a model, or cancelled. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ModelError, SvcError } from '../../../../../src/protocol/errors';
import type { InvokeResponse } from '../../../../../src/protocol/http';
import { type InvokeAs, invokeAs } from '../../../api/as-agent';
import { ApiError } from '../../../api/request';

export type TryOut =
  | { state: 'idle' }
  /** `startedAt` as `performance.now()` gives it. */
  | { state: 'running'; startedAt: number }
  | { state: 'cancelled'; ms: number }
  | { state: 'ok'; ms: number; response: InvokeResponse }
  /** The service's answer, which a model gets. */
  | { state: 'failed'; ms: number; error: SvcError; read: ModelError }
  /** No answer that a model could get. */
  | { state: 'broken'; ms: number; error: unknown };

export function useTryOut() {
  const [tryOut, setTryOut] = useState<TryOut>({ state: 'idle' });
  const running = useRef<AbortController>(null);
  // Who leaves the page does not wait for the result any more.
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(async (call: Omit<InvokeAs, 'signal'>) => {
    const abort = new AbortController();
    running.current = abort;
    const startedAt = performance.now();
    const ms = () => performance.now() - startedAt;
    setTryOut({ state: 'running', startedAt });
    try {
      const response = await invokeAs({ ...call, signal: abort.signal });
      setTryOut({ state: 'ok', ms: ms(), response });
    } catch (thrown) {
      const error = thrown instanceof ApiError ? SvcError.fromProblem(thrown.problem) : undefined;
      if (abort.signal.aborted) setTryOut({ state: 'cancelled', ms: ms() });
      else if (error) setTryOut({ state: 'failed', ms: ms(), error, read: error.toJSON() });
      else setTryOut({ state: 'broken', ms: ms(), error: thrown });
    }
  }, []);

  return { tryOut, run, cancel: () => running.current?.abort() };
}
