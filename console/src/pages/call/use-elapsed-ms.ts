import { useEffect, useState } from 'react';
import type { InvocationInfo } from '../../../../src/protocol/admin';

const TICK_MS = 500;

/** The duration of a call; for a running call its duration up to now, by the browser's clock. */
export function useElapsedMs({ code, ms, startedAt }: InvocationInfo): number {
  const [now, setNow] = useState(Date.now);
  const isRunning = code === undefined;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return ms ?? Math.max(0, now - Date.parse(startedAt));
}
