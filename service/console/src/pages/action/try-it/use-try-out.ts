/** One call at a time from the page: running, ended or cancelled. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ModelError, SvcError } from '#sdk/protocol/errors';
import type { InvokeResponse, Progress } from '#sdk/protocol/http';
import { type InvokeAs, invokeAs } from '../../../api/as-agent';
import { ApiError } from '../../../api/request';

export type TryOut =
  | { state: 'idle' }
  /** `startedAt` is a value of `performance.now()`. */
  | { state: 'running'; startedAt: number; progress?: Progress }
  | { state: 'cancelled'; ms: number }
  | { state: 'ok'; ms: number; response: InvokeResponse }
  /** The service's answer, the same that a model gets. */
  | { state: 'failed'; ms: number; error: SvcError; read: ModelError }
  /** The request failed without an answer for a model. */
  | { state: 'broken'; ms: number; error: unknown };

export function useTryOut() {
  const [tryOut, setTryOut] = useState<TryOut>({ state: 'idle' });
  const running = useRef<AbortController>(null);
  // The call is cancelled when the person leaves the page.
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(async (call: Omit<InvokeAs, 'signal' | 'onProgress'>) => {
    const abort = new AbortController();
    running.current = abort;
    const startedAt = performance.now();
    const ms = () => performance.now() - startedAt;
    setTryOut({ state: 'running', startedAt });
    try {
      const onProgress = (progress: Progress) => setTryOut({ state: 'running', startedAt, progress });
      const response = await invokeAs({ ...call, signal: abort.signal, onProgress });
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
