/** Requests to the admin API: JSON in, JSON out, and problem documents as errors. */
import type { Problem } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import type { AdminApi } from '../../../src/http/admin/admin-routes';
import { signInAgain } from './sign-in-again';

/** An error of the service: `message` is for people and contains the remedy. */
export class ApiError extends Error {
  readonly code: Problem['code'] | 'UNREACHABLE';
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(message: string, problem?: Problem) {
    super(message);
    this.code = problem?.code ?? 'UNREACHABLE';
    this.status = problem?.status ?? 0;
    this.problem = problem;
  }
}

type Given<Query> = { [Name in keyof Query]: Query[Name] | undefined };

/** The input of a route, as the service declares it. */
type InputOf<Route extends { params: string; query: unknown; body: unknown }> = ([Route['params']] extends [never]
  ? unknown
  : { params: Record<Route['params'], string> }) &
  (Route['query'] extends undefined
    ? unknown
    : object extends Route['query']
      ? { query?: Given<Route['query']> }
      : { query: Given<Route['query']> }) &
  (Route['body'] extends undefined ? unknown : { body: Route['body'] });

type ApiOptions<Name extends keyof AdminApi> = InputOf<AdminApi[Name]> & Pick<RequestOptions, 'headers' | 'signal'>;

/**
 * Sends a request to a declared route: `api('GET /v1/people')`. Input and answer have the types of the declaration.
 *
 * @throws ApiError
 */
export function api<Name extends keyof AdminApi>(
  name: Name,
  ...[options]: object extends ApiOptions<Name> ? [ApiOptions<Name>?] : [ApiOptions<Name>]
): Promise<AdminApi[Name]['answer']> {
  const [method, path = ''] = name.split(' ');
  const { params = {}, ...rest }: { params?: Record<string, string> } & RequestOptions = options ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  return request(filled, { method: method as NonNullable<RequestOptions['method']>, ...rest });
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Sends a request to a route of better-auth, which svc-sdk does not declare. A request that needs a fresh sign-in is repeated after one.
 *
 * @throws ApiError
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    return await readJson<T>(await send(path, options));
  } catch (error) {
    const isOld = error instanceof ApiError && error.code === 'FRESH_SIGN_IN_REQUIRED';
    if (!isOld || !(await signInAgain())) throw error;
    return readJson<T>(await send(path, options));
  }
}

async function readJson<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  return (await jsonOf(response)) as T;
}

/**
 * Returns the answer of a success, unread.
 *
 * @throws ApiError
 */
export async function send(path: string, { method = 'GET', body, query = {}, headers = {}, signal }: RequestOptions): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  const response = await fetch(path + search, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError('The service does not answer. It may be restarting. Try again in a moment.');
  });
  if (response.ok) return response;
  const problem = (await jsonOf(response)) as Problem | undefined;
  throw problem ? problemError(problem) : new ApiError(`The service answered with status ${response.status}`);
}

export function problemError(problem: Problem): ApiError {
  return new ApiError(problem.detail, problem);
}

/** Undefined for an answer that is not JSON. */
function jsonOf(response: Response): Promise<unknown> {
  return response
    .text()
    .then(parseExactJson)
    .catch(() => undefined);
}
