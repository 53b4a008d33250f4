import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** The time of the browser's clock, in milliseconds since 1970. While `isTicking`, it is refreshed twice a second. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
