/**
 * The request of one call: address, headers and body from the payload.
 *
 * Errors: ActionError INVALID_PATH_VALUE, INVALID_QUERY_VALUE, INVALID_FILE, INVALID_HEADER.
 */
import type { ActionContext } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { CredentialPlace, FixedCredential } from '../credential';
import { type EncodedBody, encodeBody } from './encode-body';
import { idempotencyValue, isIdempotencyHeader } from './idempotency-header';
import type { OperationParameter } from './operations';
import { encodedPair, joinPairs, type Pair, pathText, queryPairs, simpleText } from './parameter-styles';
import { encodePathValue, encodeStrictly, fillPath, isEmptyValue } from './path-value';
import type { PayloadPlan } from './payload-plan';

/** Characters of a header's name in an error. */
const MAX_SHOWN_CHARS = 100;

export interface RequestPlan {
  method: string;
  /** The document's path: `/pets/{id}`. */
  path: string;
  base: URL;
  /** The document's parameters, also without a field of the payload. */
  parameters: readonly OperationParameter[];
  accept: string;
  /** Set by the operator. */
  headers: Readonly<Record<string, string>>;
  /** The operator's. */
  credentials: readonly FixedCredential[];
  /** The place of each call's connection. */
  connection: CredentialPlace | undefined;
  payload: PayloadPlan;
}

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Headers;
  content: EncodedBody['content'] | undefined;
}

export function buildRequest(
  plan: RequestPlan,
  payload: unknown,
  credentials: readonly FixedCredential[],
  ctx: ActionContext,
): HttpRequest {
  const fields = isObject(payload) ? payload : {};
  const values = plan.payload.parameters
    .filter(({ field }) => Object.hasOwn(fields, field) && fields[field] !== undefined && fields[field] !== null)
    .map(({ field, parameter }) => ({ parameter, value: fields[field] }));
  const of = (place: OperationParameter['in']) => values.filter(({ parameter }) => parameter.in === place);
  const pairsOf = ({ parameter, value }: GivenValue) =>
    parameter.isJson ? [encodedPair(parameter.name, JSON.stringify(value))] : queryPairs(parameter, value, { encode: encodeStrictly, ctx });
  const query = of('query').flatMap((given) => {
    const pairs = pairsOf(given);
    // A call without its ids might affect all objects.
    if (pairs.length === 0 && given.parameter.required)
      throw ctx.error('INVALID_QUERY_VALUE', `${given.parameter.name} is empty, and it is required`);
    return pairs;
  });
  const body = plan.payload.body && bodyValue(plan.payload, fields);
  const encoded = body === undefined || !plan.payload.body ? undefined : encodeBody(plan.payload.body, body, ctx);
  const headers = headersOf({ ...plan, credentials }, of('header'), of('cookie').flatMap(pairsOf), ctx);
  if (encoded?.contentType) setHeader(headers, 'content-type', encoded.contentType, ctx);
  return { method: plan.method, url: addressOf({ ...plan, credentials }, of('path'), query, ctx), headers, content: encoded?.content };
}

type GivenValue = { parameter: OperationParameter; value: unknown };

function addressOf(
  { base, path, credentials }: RequestPlan,
  values: readonly GivenValue[],
  query: readonly Pair[],
  ctx: ActionContext,
): URL {
  // Some documents distinguish operations by a query or a fragment in their path.
  const [template = '', ownQuery = ''] = path.split('#', 1)[0]?.split('?', 2) ?? [];
  const textOf = (name: string, encode: (text: string) => string) => {
    const given = values.find(({ parameter }) => parameter.name === name);
    if (!given) throw ctx.error('INVALID_PATH_VALUE', `${name} is missing; the path of this action needs it`);
    if (isEmptyValue(given.value)) throw ctx.error('INVALID_PATH_VALUE', `${name} is empty; the path of this action needs a value`);
    return pathText(given.parameter, given.value, { encode, ctx });
  };
  const pathname = fillPath(template, (name) => textOf(name, (text) => encodePathValue(text, name, ctx)), ctx);
  const filledQuery = ownQuery.replace(/\{([^{}]+)\}/g, (_, name: string) => textOf(name, encodeStrictly));
  const secrets = credentials.filter((credential) => credential.in === 'query').map(({ name, value }) => encodedPair(name, value));
  const search = [filledQuery, joinPairs([...query, ...secrets], '&')].filter(Boolean).join('&');
  const expected = base.pathname.replace(/\/$/, '') + (pathname.startsWith('/') ? pathname : `/${pathname}`);
  const url = new URL(base);
  url.pathname = expected;
  url.search = search;
  // `URL` may escape characters of the document's path, but must not change its segments.
  if (url.origin !== base.origin || url.pathname.split('/').length !== expected.split('/').length)
    throw ctx.error('INVALID_PATH_VALUE', 'The values lead to another path of the API');
  return url;
}

function headersOf(
  { parameters, accept, headers: fixed, credentials }: RequestPlan,
  values: readonly GivenValue[],
  cookies: readonly Pair[],
  ctx: ActionContext,
): Headers {
  const headers = new Headers({ accept, 'user-agent': 'svc-sdk' });
  const key = parameters.find(isIdempotencyHeader);
  if (key) setHeader(headers, key.name, idempotencyValue(ctx), ctx);
  for (const { parameter, value } of values)
    setHeader(headers, parameter.name, parameter.isJson ? JSON.stringify(value) : simpleText(parameter, value, ctx), ctx);
  for (const [name, value] of Object.entries(fixed)) setHeader(headers, name, value, ctx);
  for (const { in: place, name, value } of credentials) if (place === 'header') setHeader(headers, name, value, ctx);
  const secrets = credentials.filter((credential) => credential.in === 'cookie').map(({ name, value }) => `${name}=${value}`);
  const sent = [joinPairs(cookies, '; '), ...secrets].filter(Boolean);
  if (sent.length > 0) setHeader(headers, 'cookie', sent.join('; '), ctx);
  return headers;
}

/** The platform's error quotes the value, which may be a credential. */
function setHeader(headers: Headers, name: string, value: string, ctx: ActionContext): void {
  try {
    headers.set(name, value);
  } catch {
    const shown = JSON.stringify(name.slice(0, MAX_SHOWN_CHARS));
    throw ctx.error('INVALID_HEADER', `${shown} becomes a header: it has characters that a header cannot hold, such as a line end`);
  }
}

/** Undefined: no body is sent. */
function bodyValue({ parameters, body }: PayloadPlan, fields: JsonObject): unknown {
  if (body?.field !== undefined) return Object.hasOwn(fields, body.field) ? fields[body.field] : undefined;
  const names = new Set(parameters.map(({ field }) => field));
  const rest = Object.entries(fields).filter(([name, value]) => !names.has(name) && value !== undefined);
  return rest.length > 0 || body?.required ? Object.fromEntries(rest) : undefined;
}
