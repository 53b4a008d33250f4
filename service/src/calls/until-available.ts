/** Repeats a store query while the store is unavailable: a call that was sent to a handler must not fail as if it had not been sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '../store/store-unavailable';
import type { PendingCall } from './pending-call';

const AGAIN_MS = 500;

/** Resolves with undefined when no caller waits for the call any more. */
export async function untilAvailable<T>(call: Pick<PendingCall, 'abandoned'>, ask: () => Promise<T>): Promise<{ answer: T } | undefined> {
  for (;;) {
    try {
      return { answer: await ask() };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (call.abandoned) return undefined;
      await delay(AGAIN_MS);
    }
  }
}
