/** UTC days, numbered from the epoch: budgets and the ledger count by them. */

export const DAY_MS = 24 * 60 * 60 * 1000;

export function utcDay(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Such as `2026-11-23`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
