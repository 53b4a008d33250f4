/** Calls a listener and logs its error, which must not stop other listeners or the reading of a socket. */
import type { Logger } from '../lib/logger';

export function callListener(logger: Logger, subject: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    logger.error({ error, subject }, 'a listener of the bus failed');
  }
}
