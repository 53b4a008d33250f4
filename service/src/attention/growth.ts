import { DAY_MS } from '../lib/utc-day';
import type { StoreSize } from '../store/system-store';

/**
 * Bytes by which the data grew in the last day. Undefined before sizes of a day are known.
 *
 * @param sizes oldest first
 */
export function growthPerDay(sizes: readonly StoreSize[], now: number, bytes: number): number | undefined {
  const before = sizes.findLast(({ at }) => at <= now - DAY_MS);
  return before && ((bytes - before.bytes) * DAY_MS) / (now - before.at);
}
