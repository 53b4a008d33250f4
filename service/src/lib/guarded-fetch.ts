/**
 * Requests to addresses that strangers name: an OAuth client's document, a toolkit's provider. Such an address may lead into the operator's network,
 * so each address that its host resolves to must be public. Redirects are not followed.
 *
 * Units:  `deadlineMs` counts from the request to the end of the answer; `maxBytes` limits the body of the answer.
 * Errors: GuardedFetchError, whose message completes "it cannot be reached: …". It has no path, no header and no body.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address';
import { PRIVATE_ADDRESS, publicLookup } from './public-lookup';

/** The part of `RequestInit` that requests here need. A `redirect` is never followed. */
interface GuardedRequest {
  method?: string | undefined;
  headers?: HeadersInit | undefined;
  body?: unknown;
  redirect?: string | undefined;
}

export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Response>;

export class GuardedFetchError extends Error {
  override readonly name = 'GuardedFetchError';
}

export interface GuardedFetchOptions {
  /** Hosts that may have private addresses, and that may be asked by `http:`. */
  privateHosts: readonly string[];
  deadlineMs: number;
  maxBytes: number;
}

const NO_PUBLIC_ADDRESS = 'its host has no public address';
/** Their bodies are empty: a Response refuses any. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

const lookupPublic = publicLookup((hostname) => `${hostname} is in a private network`);

export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const privateHosts = new Set(options.privateHosts);
  return async (address, request = {}) => {
    const url = new URL(address);
    const isPrivate = privateHosts.has(hostOf(url));
    requireGuarded(url, isPrivate);
    return send(url, request, { ...options, ...(!isPrivate && { lookup: lookupPublic }) });
  };
}

function requireGuarded(url: URL, isPrivate: boolean): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate))
    throw new GuardedFetchError('its address does not begin with https:');
  if (url.username || url.password) throw new GuardedFetchError('its address has credentials');
  // Node looks up no name for an address, so the check of a lookup would not run.
  const host = hostOf(url);
  if (!isPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new GuardedFetchError(NO_PUBLIC_ADDRESS);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

interface SendOptions extends Pick<GuardedFetchOptions, 'deadlineMs' | 'maxBytes'>, Pick<RequestOptions, 'lookup'> {}

function send(url: URL, { method = 'GET', headers, body }: GuardedRequest, { deadlineMs, maxBytes, lookup }: SendOptions) {
  return new Promise<Response>((resolve, reject) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const fail = (error: NodeJS.ErrnoException) => reject(new GuardedFetchError(reasonOf(error, signal, deadlineMs), { cause: error }));
    const options = { method, headers: Object.fromEntries(new Headers(headers)), agent: false, signal, ...(lookup && { lookup }) };
    const sending = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes) return;
        reject(new GuardedFetchError(`it has more than ${maxBytes} bytes`));
        sending.destroy();
      });
      answer.on('end', () => {
        const response = toResponse(answer, Buffer.concat(chunks));
        if (response) resolve(response);
        else reject(new GuardedFetchError(`it answered ${answer.statusCode}`));
      });
      answer.on('error', fail);
    });
    sending.on('error', fail);
    sending.end(body === undefined || body === null ? undefined : String(body));
  });
}

/** Undefined for a status that HTTP does not have. */
function toResponse({ statusCode: status = 0, rawHeaders }: IncomingMessage, body: Buffer): Response | undefined {
  if (status < 200 || status > 599) return undefined;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return new Response(WITHOUT_BODY.includes(status) ? null : new Uint8Array(body), { status, headers });
}

/** The same for a private name and for one that is not there: otherwise people could look up the names of the operator's network. */
function reasonOf({ code, syscall, message }: NodeJS.ErrnoException, { aborted }: AbortSignal, deadlineMs: number): string {
  if (aborted) return `it took more than ${deadlineMs / 1_000} s`;
  return code === PRIVATE_ADDRESS || syscall === 'getaddrinfo' ? NO_PUBLIC_ADDRESS : message;
}
