/** Asks the store again and again while it cannot be reached: what was sent to a handler must not end as if it had not been. */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '../../protocol/errors';
import type { PendingCall } from './pending-call';

const AGAIN_MS = 500;

/** Undefined, soon, when nobody waits for the call any more. */
export async function untilAvailable<T>(call: Pick<PendingCall, 'abandoned'>, ask: () => Promise<T>): Promise<{ answer: T } | undefined> {
  for (;;) {
    try {
      return { answer: await ask() };
    } catch (error) {
      if (!SvcError.is(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      if (call.abandoned) return undefined;
      await delay(AGAIN_MS);
    }
  }
}
