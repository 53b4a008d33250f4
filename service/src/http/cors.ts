/**
 * CORS for the routes that `Tools` and MCP clients call. Keys, tokens and the console have none: only servers and the console's own pages use
 * them. Cookies are never allowed: `Access-Control-Allow-Credentials` is not sent.
 *
 * It does not use hono's middleware, because the hot routes are not on hono.
 *
 * Source: the Fetch standard, section 3.3 (CORS protocol).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SvcError } from '#sdk/protocol/errors';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { problemAnswer } from '../lib/problem';

const OPEN: ReadonlySet<string> = new Set([PATHS.search, PATHS.invoke, PATHS.resolve, PATHS.usage, PATHS.actions, PATHS.mcp]);
/** Response headers that a page may read. */
const EXPOSED = [
  'retry-after',
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  HEADERS.searchId,
  HEADERS.caller,
  'mcp-session-id',
  'www-authenticate',
].join(', ');
/** Chromium's maximum for caching a preflight. */
const MAX_AGE_SECONDS = 7_200;

export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: ReadonlySet<string>) {
    this.#origins = origins;
  }

  /** Sets the CORS headers of the response. Returns true when the request was a preflight, which it has answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers;
    if (origin === undefined || !isOpen(pathOf(request))) return false;
    response.setHeader('vary', 'origin');
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (this.#origins.has(origin)) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', EXPOSED);
      if (isPreflight) allow(request, response);
    } else if (isPreflight) refuse(origin, response);
    return isPreflight;
  }
}

/** Allows any request header: an allowed origin is trusted, and MCP derives header names from parameters. */
function allow({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers['access-control-request-headers'];
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  });
  response.end();
}

/** Answers a preflight of an unknown origin. Pages cannot read the message; developers see it in the browser's network panel. */
function refuse(origin: string, response: ServerResponse): void {
  const message = `Pages of ${origin} may not call this service: svc-service serve --allowed-origin ${origin}, or allowedOrigins of createService`;
  const { status, headers, body } = problemAnswer(new SvcError('NOT_PERMITTED', message));
  response.writeHead(status, headers);
  response.end(body);
}

function isOpen(path: string): boolean {
  return OPEN.has(path) || path.startsWith(`${PATHS.invocations}/`);
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
