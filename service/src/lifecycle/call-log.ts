/**
 * One log line for each request of a caller: key, action, code, time. Payloads, results and messages are left out: they are texts of
 * callers and handlers.
 */
import type { CallObserver } from '../calls/call-observer';
import type { Logger } from '../lib/logger';

export function callLog(logger: Logger): CallObserver {
  return {
    requestEnded({ key, accepted }, code, ms) {
      const { invocationId, actionId } = accepted ?? {};
      logger.info({ invocation: invocationId, action: actionId, agent: key.id, code, ms: Math.round(ms * 10) / 10 }, 'call');
    },
  };
}
