/**
 * Turns an error into an RFC 9457 answer. An error that is not an SvcError is logged and answered as INTERNAL, so no stack and no foreign
 * message leaves the service.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Logger } from './logger';

export interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function toSvcError(error: unknown, logger: Logger, where: string): SvcError {
  if (SvcError.is(error)) return error;
  logger.error({ error, where }, 'request failed inside the service');
  return new SvcError('INTERNAL', 'The service failed; its log has the reason');
}

export function problemAnswer(error: SvcError): ProblemAnswer {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' };
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
  if (error.status === 401) headers['www-authenticate'] = 'Bearer realm="svc-sdk"';
  return { status: error.status || 500, headers, body: JSON.stringify(error.toProblem()) };
}
