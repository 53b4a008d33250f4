import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '../api/request';

/** Seconds until the next attempt is allowed after too many; 0 if it is allowed now. */
export function useWait(error: unknown): number {
  const until = useMemo(() => waitUntil(error), [error]);
  const [, setTick] = useState(0);
  useEffect(() => {
    if (until <= Date.now()) return;
    const timer = setInterval(() => {
      setTick((tick) => tick + 1);
      if (until <= Date.now()) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}

function waitUntil(error: unknown): number {
  return error instanceof ApiError && error.code === 'RATE_LIMITED' ? Date.now() + (error.problem?.retryAfterMs ?? 0) : 0;
}
