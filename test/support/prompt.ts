/** Checks that an effect is immediate: a busy machine is late now and then, a delay in the code is late every time. */
import { expect } from 'vitest';

const ATTEMPTS = 5;

/** @param attempt the milliseconds that it took; one of some attempts has to take less than `limitMs` */
export async function expectPrompt(attempt: () => Promise<number>, limitMs = 100): Promise<void> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < ATTEMPTS && fastest >= limitMs; count++) fastest = Math.min(fastest, await attempt());
  expect(fastest).toBeLessThan(limitMs);
}
