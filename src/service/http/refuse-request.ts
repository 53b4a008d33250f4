/** Requests that no route may see: with two hosts, and with methods that the service does not have. */
import type { IncomingMessage } from 'node:http';
import { SvcError } from '../../protocol/errors';
import { type ProblemAnswer, problemAnswer } from '../lib/problem';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
/** A PUT is answered like a GET of an unknown path. */
const ROUTED: ReadonlySet<string> = new Set([...METHODS, 'PUT']);

/** Undefined for a request that may go on. */
export function refuseRequest(request: IncomingMessage): ProblemAnswer | undefined {
  const { method = '' } = request;
  if (hasTwoHosts(request)) return problemAnswer(twoHosts());
  if (ROUTED.has(method)) return undefined;
  const allow = METHODS.join(', ');
  const problem = new SvcError('INVALID_REQUEST', `No route has the method ${method}; use one of ${allow}`).toProblem();
  const body = JSON.stringify({ ...problem, status: 405 });
  return { status: 405, headers: { 'content-type': 'application/problem+json', allow }, body };
}

/** A proxy may route by one host, and the service by the other. Source: RFC 9112, section 3.2. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

export function twoHosts(): SvcError {
  return new SvcError('INVALID_REQUEST', 'The request has two Host headers: send one');
}
