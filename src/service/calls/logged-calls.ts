/** One line of the log for each call: who, what, how it ended. No payload, no result, no message: those hold what callers and handlers wrote. */
import type { Logger } from '../lib/logger';
import type { CallWatcher } from './watched-calls';

export function loggedCalls(logger: Logger): CallWatcher {
  return ({ key }) => ({
    ended({ accepted, code, ms }) {
      const { invocationId, actionId } = accepted ?? {};
      logger.info({ invocation: invocationId, action: actionId, agent: key.id, code, ms: Math.round(ms * 10) / 10 }, 'call');
    },
  });
}
