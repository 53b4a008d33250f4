/**
 * Calls and errors of each name by the hour and the day, whatever the outcome and duration: one row where `call_counts` has dozens.
 * They follow from those, so no export has them.
 */
import { type Kysely, sql } from 'kysely';
import type { CallCount, CountStep } from '../console-store';
import type { CallSumRow, Tables } from './tables';

export function hasSums(step: CountStep): boolean {
  return step !== 60;
}

/** What these counts add, in one order on every node. */
export function sumsOf(counts: readonly CallCount[]): CallSumRow[] {
  const sums = new Map<string, CallSumRow>();
  for (const { dimension, step, start, name, code, calls } of counts) {
    if (!hasSums(step)) continue;
    const place = JSON.stringify([dimension, step, start, name]);
    const sum = sums.get(place) ?? { dimension, step, start, name, calls: 0, errors: 0 };
    sums.set(place, { ...sum, calls: sum.calls + calls, errors: sum.errors + (code === 'OK' ? 0 : calls) });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** For counts that came without them. There are no sums yet. */
export async function deriveSums(db: Kysely<Tables>): Promise<void> {
  await sql.raw(DERIVE_SUMS).execute(db);
}

export const DERIVE_SUMS = `
  INSERT INTO call_sums (dimension, step, start, name, calls, errors)
  SELECT dimension, step, start, name, sum(calls), sum(CASE WHEN code = 'OK' THEN 0 ELSE calls END)
  FROM call_counts WHERE step <> 60
  GROUP BY dimension, step, start, name`;
