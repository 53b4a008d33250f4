/**
 * One request to the service, with key, deadline and retries.
 *
 * Errors: SvcError, or the reason of the caller's signal. None holds the key or a credential.
 * Source: docs/protocol.md, section 3.
 */
import { type CallerAsk, writeAsk } from '../protocol/ask';
import { errorText } from '../protocol/error-text';
import { SvcError } from '../protocol/errors';
import { HEADERS, type Progress } from '../protocol/http';
import { requireSafeNumbers } from '../protocol/number-digits';
import { writePrefer } from '../protocol/prefer';
import type { PROGRAM } from '../protocol/program-calls';
import { ApiKey, type ApiKeyOption } from './api-key';
import type { SentConnection } from './caller-connections';
import { withDeadline } from './deadline';
import { HiddenSecrets } from './hidden-secrets';
import { writeJson } from './json';
import { withRetries } from './retry';
import { type FetchResponse, readAnswer, unreachable } from './service-answer';

/** The part of `fetch` that is used: the platform's, undici's, or your own function. */
export type FetchLike = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual'; signal: AbortSignal },
) => Promise<FetchResponse>;

export type OptionalHeaders = Record<string, string | undefined>;

export interface ServiceRequest<T> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with query, such as `/v1/actions?toolkit=weather`. */
  path: string;
  body?: unknown;
  isAnswer: (body: unknown) => body is T;
  timeoutMs: number;
  /** The deadline of work that goes on without this request; `default` is that of the service. Absent: the time of the request. */
  deadlineMs?: number | 'default' | undefined;
  signal?: AbortSignal | undefined;
  idempotencyKey?: string;
  maxResultChars?: number | undefined;
  /** The call takes a handle in place of a result: at once, or shortly before its time is over if its action may take long. */
  takesHandle?: 'now' | 'later' | undefined;
  /** The most that it waits before it takes the handle `later`. */
  waitMs?: number | undefined;
  /** The most that the call may cost. */
  maxPayment?: string | undefined;
  /** The only version of the action that may run. */
  actionVersion?: string | undefined;
  /** The caller's own rules. */
  ask?: CallerAsk | undefined;
  /** User and session, with searches and calls. */
  callerHeaders?: OptionalHeaders;
  connection?: SentConnection;
  /** A program of the model's provider made the call. */
  madeBy?: typeof PROGRAM | undefined;
  /** Id of the search that led to this request. */
  searchId?: string | undefined;
  /** Called with the headers of a successful answer. */
  onHeaders?: (headers: FetchResponse['headers']) => void;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A request whose `timeoutMs` has a default. */
export type DefaultedRequest<T> = Omit<ServiceRequest<T>, 'timeoutMs'> & { timeoutMs?: number | undefined };

/** Extra time for the service's own INVOCATION_TIMEOUT, which has the invocation's id. */
const GRACE_MS = 1_000;

export class HttpClient {
  readonly #baseUrl: string;
  readonly #apiKey: ApiKey;
  readonly #fetch: FetchLike;

  constructor(baseUrl: string, apiKey: ApiKeyOption, fetch: FetchLike) {
    this.#baseUrl = baseUrl;
    this.#apiKey = new ApiKey(apiKey);
    this.#fetch = fetch;
  }

  async request<T>(request: ServiceRequest<T>): Promise<T> {
    const { method, path, timeoutMs, signal } = request;
    const body = request.body === undefined ? {} : { body: writeJson(request.body) };
    if (body.body !== undefined) requireSafeNumbers(body.body);
    const timeoutError = () =>
      new SvcError(
        'INVOCATION_TIMEOUT',
        `No answer from ${this.#baseUrl} to ${method} ${path.split('?')[0]} in ${timeoutMs} ms: it may still be at work`,
      );
    return withRetries({ timeoutMs, signal }, (remainingMs) =>
      withDeadline({ timeoutMs: remainingMs + GRACE_MS, timeoutError, signal }, (ends) =>
        this.#withKey(async (apiKey) => {
          const headers = headersOf(request, apiKey, remainingMs);
          const hidden = new HiddenSecrets(apiKey, request.connection?.credential?.secrets ?? []);
          const response = await this.#send(path, { method, headers, ...body, redirect: 'manual', signal: ends }, hidden);
          const { isAnswer, onProgress } = request;
          const answer = await readAnswer(response, { baseUrl: this.#baseUrl, hidden, isAnswer, onProgress });
          request.onHeaders?.(response.headers);
          return answer;
        }),
      ),
    );
  }

  /** Sends the request again if the service refuses the key and there is another one. The idempotency key prevents a second run. */
  async #withKey<T>(exchange: (apiKey: string) => Promise<T>): Promise<T> {
    const current = this.#apiKey.current();
    const apiKey = typeof current === 'string' ? current : await current;
    try {
      return await exchange(apiKey);
    } catch (error) {
      const other = refusesKey(error) ? await this.#apiKey.replace(apiKey) : undefined;
      if (other === undefined) throw error;
      return exchange(other);
    }
  }

  async #send(path: string, init: Parameters<FetchLike>[1], hidden: HiddenSecrets): Promise<FetchResponse> {
    const fetch = this.#fetch; // A browser's own fetch refuses to be called as a method.
    try {
      return await fetch(this.#baseUrl + path, init);
    } catch (error) {
      throw unreachable(this.#baseUrl, errorText(hidden.hideIn(reasonOf(error))), foreignPage(this.#baseUrl));
    }
  }
}

function headersOf(
  {
    body,
    onProgress,
    idempotencyKey,
    takesHandle,
    waitMs,
    deadlineMs,
    maxResultChars,
    maxPayment,
    actionVersion,
    ask,
    callerHeaders,
    connection,
    searchId,
    madeBy,
  }: ServiceRequest<unknown>,
  apiKey: string,
  remainingMs: number,
): Record<string, string> {
  const headers: OptionalHeaders = {
    authorization: `Bearer ${apiKey}`,
    accept: onProgress ? 'text/event-stream' : 'application/json',
    [HEADERS.timeoutMs]: deadlineMs === 'default' ? undefined : String(deadlineMs ?? Math.max(1, Math.ceil(remainingMs))),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...callerHeaders,
    [HEADERS.idempotencyKey]: idempotencyKey,
    [HEADERS.prefer]: takesHandle && preferOf(takesHandle, Math.min(remainingMs - 1_000, waitMs ?? Number.POSITIVE_INFINITY)),
    [HEADERS.maxResultChars]: maxResultChars?.toString(),
    [HEADERS.maxPayment]: maxPayment,
    [HEADERS.actionVersion]: actionVersion,
    [HEADERS.ask]: ask && writeAsk(ask),
    [HEADERS.connections]: connection?.credential?.header,
    [HEADERS.connectionNames]: connection?.names,
    [HEADERS.searchId]: searchId,
    [HEADERS.caller]: madeBy,
  };
  return Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined));
}

/** The handle has to come before the client gives up. */
function preferOf(takesHandle: 'now' | 'later', waitMs: number): string {
  return writePrefer({ respondAsync: true, ...(takesHandle === 'later' && { waitMs: Math.max(0, waitMs) }) });
}

function refusesKey(error: unknown): boolean {
  return SvcError.is(error) && (error.code === 'KEY_EXPIRED' || error.code === 'KEY_REVOKED' || error.code === 'INVALID_KEY');
}

/** The origin of the page, if it is not the service's. A browser does not tell scripts that it blocked a request. */
function foreignPage(baseUrl: string): string | undefined {
  const origin = globalThis.location?.origin;
  return origin === new URL(baseUrl).origin ? undefined : origin;
}

/** Node's message is only `fetch failed`; its `cause` has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
