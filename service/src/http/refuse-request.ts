/** Refuses requests before routing: with two values for one header, and with unsupported methods. */
import type { IncomingMessage } from 'node:http';
import { SvcError } from '#sdk/protocol/errors';
import { HEADERS } from '#sdk/protocol/http';
import { type ProblemAnswer, problemAnswer } from '../lib/problem';
import { takeAbsoluteTarget } from './request-target';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ROUTED: ReadonlySet<string> = new Set(METHODS);

/** Headers with one value. `node:http` keeps the first of two Authorization headers, and joins the others. It refuses two of Content-Length. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'authorization', ...Object.values(HEADERS)]);

/** Undefined for an accepted request. */
export function refuseRequest(request: IncomingMessage): ProblemAnswer | undefined {
  const { method = '' } = request;
  const fault = repeatedHeader(request) ?? takeAbsoluteTarget(request);
  if (fault) return problemAnswer(fault);
  if (ROUTED.has(method)) return undefined;
  const allow = METHODS.join(', ');
  const problem = new SvcError('INVALID_REQUEST', `No route has the method ${method}; use one of ${allow}`).toProblem();
  const body = JSON.stringify({ ...problem, status: 405 });
  return { status: 405, headers: { 'content-type': 'application/problem+json', allow }, body };
}

/** A proxy may read one of the two, and the service the other. Source: RFC 9112, section 3.2; RFC 9110, section 5.3. */
export function repeatedHeader({ rawHeaders }: IncomingMessage): SvcError | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.has(lower)) return new SvcError('INVALID_REQUEST', `The request has two ${name} headers: send one`);
    seen.add(lower);
  }
  return undefined;
}
