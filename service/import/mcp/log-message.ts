/** `notifications/message` of a server: a line of its log. */
import type { LoggingMessageNotification } from '@modelcontextprotocol/client';
import type { ServerLog } from './config';

const MAX_LOGGED_CHARS = 2_000;

const LEVELS = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<LoggingMessageNotification['params']['level'], ServerLog['level']>;

export function logMessage({ level, logger, data }: LoggingMessageNotification['params']): ServerLog {
  const text = (typeof data === 'string' ? data : jsonOf(data)).slice(0, MAX_LOGGED_CHARS);
  return { level: LEVELS[level], message: logger === undefined ? text : `${logger.slice(0, MAX_LOGGED_CHARS)}: ${text}` };
}

/** The data may be nested too deep for `JSON.stringify`. */
function jsonOf(data: unknown): string {
  try {
    return JSON.stringify(data) ?? '';
  } catch {
    return 'a message that is nested too deep';
  }
}
