import { expect, test } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { JsonObject } from '#sdk/protocol/json-object';
import { PayloadChecker } from '../../../src/payload/payload-checker';
import { DOUBLINGS, doubled, LEAVES, VALUES } from './hostile-checks';

/** Twice what a slow machine takes; a check that doubles with each level takes seconds. */
const MAX_MS = 250;

/** Time on the clock, or of this thread on the processor where others had it: neither a busy machine nor another thread's work fails a test. */
function takenMs(work: () => void): number {
  const [startedAt, cpu] = [performance.now(), process.threadCpuUsage()];
  work();
  const { user, system } = process.threadCpuUsage(cpu);
  return Math.min(performance.now() - startedAt, (user + system) / 1_000);
}

function refusal(checker: PayloadChecker, schema: JsonObject, payload: JsonObject): SvcError | undefined {
  try {
    checker.check(schema, payload);
    return undefined;
  } catch (error) {
    if (SvcError.is(error)) return error;
    throw error;
  }
}

test.each(Object.entries(LEAVES))(
  '%s, doubled in any way, is checked against any large value in a fraction of a second',
  (_, leaf) => {
    const slow: string[] = [];
    for (const [doubling, double] of Object.entries(DOUBLINGS)) {
      const schema = doubled(leaf, double);
      const checker = new PayloadChecker();
      refusal(checker, schema, { v: null }); // compiles the schema
      for (const [name, v] of Object.entries(VALUES)) {
        const tookMs = takenMs(() => expect(refusal(checker, schema, { v })?.code ?? 'INVALID_PAYLOAD').toBe('INVALID_PAYLOAD'));
        if (tookMs > MAX_MS) slow.push(`${doubling} of ${name}: ${Math.round(tookMs)} ms`);
      }
    }
    expect(slow).toEqual([]);
  },
  60_000,
);
