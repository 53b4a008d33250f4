/** A request for better-auth: it carries the service's own address, and only headers that better-auth needs and may trust. */
import { SvcError } from '#sdk/protocol/errors';
import { requireFlatJson } from '#sdk/protocol/json-depth';
import { parseOrThrow } from '../lib/parse';
import { requireStorable } from '../lib/storable';
import type { AuthRoute } from './auth-routes';
import type { ClientRequest } from './client-request';
import { serviceOrigin } from './csrf';

/** Header that only this file sets. */
export const CLIENT_ADDRESS_HEADER = 'x-svc-client-address';
const MAX_BODY_BYTES = 4_096;

export function authHeaders({ request, clientAddress }: ClientRequest, publicUrl: string | undefined): Headers {
  const origin = serviceOrigin(request, publicUrl);
  const headers = new Headers({ host: new URL(origin).host, origin, [CLIENT_ADDRESS_HEADER]: clientAddress });
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

export function authRequest(
  caller: ClientRequest,
  { query }: AuthRoute,
  body: Record<string, unknown> | undefined,
  publicUrl: string | undefined,
): Request {
  const { method, url } = caller.request;
  const { pathname, search, searchParams } = new URL(url);
  requireStorable([...searchParams], 'query');
  const headers = authHeaders(caller, publicUrl);
  if (body) headers.set('content-type', 'application/json');
  const address = `${serviceOrigin(caller.request, publicUrl)}${pathname}${query ? search : ''}`;
  return new Request(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** The members of the body that the route reads. Rejects with INVALID_REQUEST or REQUEST_TOO_LARGE. */
export async function bodyOf(
  request: Request,
  { body, bodyBytes = MAX_BODY_BYTES }: AuthRoute,
): Promise<Record<string, unknown> | undefined> {
  if (!body) return undefined;
  const text = await readText(request, bodyBytes);
  requireFlatJson(text, 'The body');
  let json: unknown;
  try {
    json = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new SvcError('INVALID_REQUEST', 'The body is not JSON');
  }
  requireStorable(json, 'body');
  return parseOrThrow(body, json, 'body');
}

async function readText({ body, headers }: Request, maxBytes: number): Promise<string> {
  const tooLarge = () => new SvcError('REQUEST_TOO_LARGE', `A request here may have ${maxBytes} bytes`);
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
