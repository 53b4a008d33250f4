import type { InvocationInfo } from '#sdk/protocol/admin';
import { useNow } from '../../parts/use-now';

/** The duration of a call; for a running call its duration up to now, by the browser's clock. */
export function useElapsedMs({ code, ms, startedAt }: InvocationInfo): number {
  const now = useNow(code === undefined);
  return ms ?? Math.max(0, now - Date.parse(startedAt));
}
