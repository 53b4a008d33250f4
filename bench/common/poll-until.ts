import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const POLL_MS = 2;

/** Polls until the answer is not undefined. Rejects after 10 s with `what` in the error. */
export async function pollUntil<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(POLL_MS);
  }
  throw new Error(`Waited ${PATIENCE_MS} ms for ${what}`);
}
