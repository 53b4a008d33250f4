/**
 * The absolute form of a request target, `POST http://host/v1/invoke`: its host replaces the Host header, and the routes see the path.
 *
 * Source: RFC 9112 section 3.2.2; RFC 9110 section 4.2.4 (no user information).
 */
import type { IncomingMessage } from 'node:http';
import { SvcError } from '#sdk/protocol/errors';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
const AUTHORITY = /^(?:[\w.~%!$&'()*+,;=-]+|\[[0-9a-f:.]+\])(?::\d*)?$/i;

/** Changes a request in absolute form into one in origin form. Returns an error for a target without a valid host. */
export function takeAbsoluteTarget(request: IncomingMessage): SvcError | undefined {
  const target = ABSOLUTE.exec(request.url ?? '');
  if (!target) return undefined;
  const [, host = '', path = ''] = target;
  if (!AUTHORITY.test(host)) return new SvcError('INVALID_REQUEST', 'The URL of the request has no valid host');
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = host;
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') rawHeaders[index + 1] = host;
  return undefined;
}
