/** The way to the admin API: JSON in, JSON out, and problem documents as errors. */
import type { Problem } from '../../../src/protocol/errors';

/** What the service refused, in its words: `message` is for people and says what to do next. */
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

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** @throws ApiError */
export async function request<T>(
  path: string,
  { method = 'GET', body, query = {}, headers = {}, signal }: RequestOptions = {},
): Promise<T> {
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
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  const problem = answer as Problem | undefined;
  throw new ApiError(problem?.detail ?? `The service answered with status ${response.status}`, problem);
}
