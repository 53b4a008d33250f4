/**
 * The evidence of one agent key for one action and query, and its weight.
 *
 * Shape:  weight 0 to 1. Counts are capped, so that recent evidence outweighs old evidence, and many calls weigh no more than a few.
 * Units:  times are milliseconds since the epoch.
 */

import { DAY_MS } from '../lib/utc-day';
import type { EvidenceRecord } from '../store/store';

/** Evidence counts half after this time. */
const HALF_LIFE_MS = 30 * DAY_MS;
/** Evidence is removed after six half-lives. */
export const FORGOTTEN_AFTER_MS = 6 * HALF_LIFE_MS;
const MAX_COUNT = 8;

export type Tally = EvidenceRecord;

/** @param strength of a success: 1, less for one that is less sure to belong to the query */
export function count(tally: Tally, { ok, strength, at }: { ok: boolean; strength: number; at: number }): void {
  if (ok) {
    tally.successes += strength;
    tally.succeededAt = at;
  } else tally.failures += 1;
  const excess = Math.max(tally.successes, tally.failures) / MAX_COUNT;
  if (excess <= 1) return;
  tally.successes /= excess;
  tally.failures /= excess;
}

export function weightOf({ successes, failures, succeededAt }: Tally, now: number): number {
  if (succeededAt === null || failures > successes) return 0;
  return Math.min(1, successes) * (successes / (successes + failures)) * freshness(succeededAt, now);
}

export function freshness(at: number, now: number): number {
  return 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS);
}
