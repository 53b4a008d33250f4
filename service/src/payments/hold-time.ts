import { DAY_MS } from '../lib/utc-day';

/** A call without a known outcome keeps its hold for this time, in which a late outcome can still charge it. Then the hold is released. */
export const HOLD_MS: number = DAY_MS;
