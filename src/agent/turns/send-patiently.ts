/** Retries until the platform accepts. Clients retry short failures themselves; this function waits for a platform that is down. */
import { RefusedReply } from '../chat/base-client';
import { pause, raced } from '../lib/races';
import { MAX_AGE_MS } from './early-end';
import type { TurnScope } from './turn-scope';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/** @throws RefusedReply if the platform refuses permanently, or the message is older than 12 hours; the reason of the scope's signal */
export async function sendPatiently<T>(scope: TurnScope, send: () => Promise<T>): Promise<T> {
  const { signal, turn } = scope;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await raced(send(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (RefusedReply.is(error)) throw error;
      scope.reportReply(error);
      if (Date.now() - turn.at > MAX_AGE_MS) throw new RefusedReply('Nothing could be sent for 12 hours', { cause: error });
    }
    await pause(waitMs, signal);
  }
}
