/**
 * `fetch` over https for hosts that only a document names. The platform's `fetch` cannot check the address that its socket connects to.
 *
 * Errors: like those of `fetch`, with the code of the socket in their `cause`.
 */
import type { IncomingMessage } from 'node:http';
import { Agent, request as sendHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { lookupPublic } from '../public-host';

const KEEP_ALIVE_MS = 5_000;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Not shared with the rest of the program: the check runs when a socket opens. */
const publicAgent = new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, lookup: lookupPublic });

/** @param agent for tests, which have no public network */
export async function publicFetch(url: URL, init: RequestInit, agent = publicAgent): Promise<Response> {
  const request = new Request(url, init);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const headers = {
    ...Object.fromEntries(request.headers),
    'accept-encoding': 'gzip',
    ...(body && { 'content-length': body.byteLength }),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new TypeError('fetch failed', { cause: error }));
    const sent = sendHttps(url, { agent, method: request.method, headers, ...(init.signal && { signal: init.signal }) }, (incoming) => {
      try {
        resolve(toResponse(incoming));
      } catch (error) {
        incoming.destroy();
        fail(error);
      }
    });
    sent.on('error', fail).end(body);
  });
}

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  const isGzip = /^(?:x-)?gzip$/i.test(headers.get('content-encoding')?.trim() ?? '');
  // The reader gets the stream's error, so the callback is empty.
  const content = isGzip ? pipeline(incoming, createGunzip(), () => {}) : incoming;
  return new Response(Readable.toWeb(content) as ReadableStream, { status, statusText, headers });
}
