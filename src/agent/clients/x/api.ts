/**
 * Signed requests to the API of X, version 2, with retries.
 *
 * Units:  waits in milliseconds. A 429 waits until `x-rate-limit-reset` (seconds since 1970), as X sends no `Retry-After`.
 * Errors: XRefusal for a permanent error. Error messages never hold a credential.
 * Source: docs.x.com, "Rate limits" and "Response codes & errors".
 */

import { AnswerTooLarge, readBodyText } from '../../../protocol/byte-stream';
import { pause } from '../../lib/races';
import { retryWaitMs } from '../retry-wait';
import { authorizationHeader, type XCredentials } from './oauth';

const REQUEST_TIMEOUT_MS = 30_000;
/** The wait after a rate limit without a duration. */
const RATE_LIMIT_MS = 60_000;
/** One window of X's rate limits plus a minute. */
const MAX_RATE_LIMIT_MS = 16 * 60_000;
const MAX_CLOCK_ERROR_MS = 60_000;

export interface XRequest {
  query?: Record<string, string>;
  /** JSON, or a form with a file. */
  body?: object | FormData;
  signal: AbortSignal;
  /** Default: unlimited. */
  tries?: number;
}

export interface XAnswer {
  body: Record<string, unknown>;
  /** The time at X, in milliseconds since 1970. */
  at: number;
}

/** X refused a request permanently. */
export class XRefusal extends Error {
  override readonly name = 'XRefusal';
  readonly isDuplicate: boolean;

  constructor(message: string, { isDuplicate }: { isDuplicate: boolean }) {
    super(message);
    this.isDuplicate = isDuplicate;
  }
}

/** A temporary failure. */
interface Failure {
  reason: string;
  /** Absent without a duration from X. */
  waitMs?: number;
}

export class XApi {
  readonly #credentials: XCredentials;
  readonly #baseUrl: string;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>;

  constructor(credentials: XCredentials, baseUrl: string, wait: (ms: number, signal: AbortSignal) => Promise<unknown> = pause) {
    this.#credentials = credentials;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#wait = wait;
  }

  async send(method: 'GET' | 'POST', path: string, request: XRequest): Promise<XAnswer> {
    const { signal, tries = Number.POSITIVE_INFINITY } = request;
    for (let tried = 1; ; tried++) {
      const outcome = await this.#sendOnce(method, path, request);
      if ('body' in outcome) return outcome;
      if (tried >= tries) throw new Error(`X did not take ${method} ${path} in ${tries} tries. The last time: ${outcome.reason}`);
      await this.#wait(outcome.waitMs ?? retryWaitMs(tried), signal);
    }
  }

  async #sendOnce(method: string, path: string, { query = {}, body, signal }: XRequest): Promise<XAnswer | Failure> {
    const url = new URL(`${this.#baseUrl}${path}?${new URLSearchParams(query)}`);
    const isJson = body !== undefined && !(body instanceof FormData);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          authorization: authorizationHeader(this.#credentials, method, url),
          ...(isJson && { 'content-type': 'application/json' }),
        },
        body: isJson ? JSON.stringify(body) : (body ?? null),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      text = await readBodyText(response);
    } catch (error) {
      signal.throwIfAborted();
      return { reason: reasonOf(error) };
    }
    const at = Date.parse(response.headers.get('date') ?? '') || Date.now();
    const { status } = response;
    if (status === 429) return { reason: 'rate limit (429)', waitMs: rateLimitWait(response.headers.get('x-rate-limit-reset'), at) };
    if (status === 408 || status >= 500) return { reason: `status ${status}` };
    const json = parseObject(text);
    if (!response.ok) {
      const message = `X refused ${method} ${path}: ${status}${detailOf(json)}${adviceFor(status, at)}`;
      throw new XRefusal(this.#withoutCredentials(message), { isDuplicate: status === 403 && /duplicate/i.test(text) });
    }
    return json ? { body: json, at } : { reason: 'an answer that is not a JSON object' };
  }

  /** Removes credentials, which a proxy between X and this program might repeat. */
  #withoutCredentials(message: string): string {
    return Object.values(this.#credentials).reduce((text: string, secret: string) => text.replaceAll(secret, '***'), message);
  }
}

/** Uses the time at X, since the clock of this machine may be wrong. */
export function rateLimitWait(reset: string | null, at: number): number {
  const waitMs = Number(reset ?? Number.NaN) * 1000 - at;
  return Number.isNaN(waitMs) ? RATE_LIMIT_MS : Math.min(Math.max(waitMs, 1_000), MAX_RATE_LIMIT_MS);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** X's error text: the `detail` of RFC 7807, or the first of `errors`. */
function detailOf(body: Record<string, unknown> | undefined): string {
  const [first] = Array.isArray(body?.errors) ? body.errors : [];
  const detail = [first?.message, body?.detail, body?.title].find((text) => typeof text === 'string' && text !== '');
  return detail === undefined ? '' : ` ${detail.slice(0, 300).replace(/\.$/, '')}`;
}

function adviceFor(status: number, at: number): string {
  const clockErrorMs = Math.abs(Date.now() - at);
  if (status === 401 && clockErrorMs > MAX_CLOCK_ERROR_MS) {
    return `. The clock of this machine is off by ${Math.round(clockErrorMs / 1000)} s, and X accepts signatures of a few minutes: set the clock`;
  }
  return ADVICE[status] ?? '';
}

const ADVICE: Record<number, string> = {
  401: '. Copy apiKey, apiSecret, accessToken and accessSecret again from the developer portal of X, "Keys and tokens", all four from one app',
  402: '. Add API credits to the account in the developer portal of X',
  403: '. Check in the developer portal of X that the app may read and write, and make the access token again after a change',
};

/** `fetch` throws "fetch failed"; its cause has the code, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLarge) return error.message;
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return name === 'TimeoutError' ? `no answer in ${REQUEST_TIMEOUT_MS / 1000} s` : (cause?.code ?? 'the connection was cut');
}
