/**
 * Sends a request to the toolkit's origin. Redirects within it are followed; a redirect to another origin is returned as the answer, so that no
 * credential leaves the origin.
 *
 * Errors: ActionError UPSTREAM_UNREACHABLE (not sent), UPSTREAM_LOST (it may have run), TOO_MANY_REDIRECTS; the reason of the signal.
 */
import type { ActionContext } from 'svc-sdk';
import { PRIVATE_ADDRESS } from '../../src/lib/public-lookup';
import { NOT_SENT } from '../not-sent';
import { patientFetch } from '../patient-fetch';
import type { HttpRequest } from './build-request';

const MAX_REDIRECTS = 5;

export type SendFunction = (url: URL, init: RequestInit) => Promise<Response>;

export async function sendRequest(request: HttpRequest, ctx: ActionContext, send: SendFunction = patientFetch): Promise<Response> {
  let { method, url, content } = request;
  const headers = new Headers(request.headers);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const init: RequestInit = { method, headers, body: content ?? null, redirect: 'manual', signal: ctx.signal };
    const response = await sendOnce(send, url, init, ctx);
    const target = redirectTarget(response, url);
    if (target?.origin !== url.origin) return response;
    await response.body?.cancel();
    if (response.status === 303 || (response.status <= 302 && method === 'POST')) {
      if (method !== 'HEAD') method = 'GET';
      content = undefined;
      headers.delete('content-type');
    }
    url = target;
  }
  throw ctx.error('TOO_MANY_REDIRECTS', `The API redirected more than ${MAX_REDIRECTS} times`);
}

/** Undefined for an answer that is not a redirect. */
export function redirectTarget(response: Response, url: URL | string): URL | undefined {
  const location = response.headers.get('location');
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
  return isRedirect && location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

async function sendOnce(send: SendFunction, url: URL, init: RequestInit, ctx: ActionContext): Promise<Response> {
  try {
    return await send(url, init);
  } catch (error) {
    if (ctx.signal.aborted) throw ctx.signal.reason;
    throw lost(error, url, ctx);
  }
}

/** The error for a failed connection. Messages omit an address's query, which may contain a key. */
export function lost(error: unknown, url: URL, ctx: ActionContext): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = code || (cause instanceof Error ? cause.message : String(cause));
  if (code === PRIVATE_ADDRESS) return ctx.error('UPSTREAM_UNREACHABLE', `No connection to ${url.origin}: ${(cause as Error).message}`);
  if (NOT_SENT.has(code) || /CERT|TLS|SSL/.test(code) || reason === 'bad port')
    return ctx.error('UPSTREAM_UNREACHABLE', `No connection to ${url.origin}: ${reason}`, { retryable: NOT_SENT.has(code) });
  return ctx.error('UPSTREAM_LOST', `The connection to ${url.origin} was lost: ${reason}; the action may have run`);
}
