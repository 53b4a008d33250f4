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

/** @param counts what is added, in the order of dimension, name, step and start */
export function sumsOf(counts: readonly CallCount[]): CallSumRow[] {
  const sums: CallSumRow[] = [];
  for (const { dimension, step, start, name, code, calls } of counts) {
    if (!hasSums(step)) continue;
    const errors = code === 'OK' ? 0 : calls;
    const last = sums.at(-1);
    if (last?.start === start && last.step === step && last.name === name && last.dimension === dimension) {
      last.calls += calls;
      last.errors += errors;
    } else sums.push({ dimension, step, start, name, calls, errors });
  }
  return sums;
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
