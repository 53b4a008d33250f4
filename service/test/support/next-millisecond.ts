/** Records carry milliseconds: two requests in one have no order. */
import { setImmediate } from 'node:timers/promises';

export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await setImmediate();
}
