/**
 * Reads one HTTP answer.
 *
 * Shape:  the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
 * Errors: the service's own problem; SERVICE_UNREACHABLE for an answer of something else: a proxy's page, a redirect, another program on that
 *         port, a stream that breaks, more bytes than a client reads. `retryable` if the same request may succeed later. None has the key or
 *         a credential, which some programs quote.
 */
import { AnswerTooLarge, type ByteStream, readBodyText } from '../protocol/byte-stream';
import { errorText } from '../protocol/error-text';
import { SvcError } from '../protocol/errors';
import type { Progress } from '../protocol/http';
import { isNestedTooDeep } from '../protocol/json-depth';
import { isObject } from '../protocol/json-object';
import { parseWithDigits } from '../protocol/number-digits';
import { readRetryAfter } from '../protocol/retry-after';
import { readEvents } from '../protocol/sse';
import type { HiddenSecrets } from './hidden-secrets';

/** The part of a `Response` that is used. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (ByteStream & { cancel(): Promise<unknown> }) | null;
  text(): Promise<string>;
}

export interface Expected<T> {
  baseUrl: string;
  hidden: HiddenSecrets;
  isAnswer: (body: unknown) => body is T;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** 202: the call goes on without its caller. 204: there is nothing to say. */
const SUCCESSES: ReadonlySet<number> = new Set([200, 202, 204]);

export async function readAnswer<T>(response: FetchResponse, expected: Expected<T>): Promise<T> {
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? '';
  if (status === 200 && type.startsWith('text/event-stream') && body) return readStream(body, expected);
  const text = /\bjson\b/.test(type) ? await textOf(response, expected.baseUrl) : '';
  const answer = jsonOf(text);
  if (SUCCESSES.has(status) && expected.isAnswer(answer)) return answer;
  // Frees the connection: the page of a proxy is not read.
  if (answer === undefined) await body?.cancel().catch(() => undefined);
  throw (status >= 400 && problemIn(text, expected)) || strangeAnswer(response, expected);
}

function problemIn(text: string, { hidden }: { hidden: HiddenSecrets }): SvcError | undefined {
  const body = jsonOf(text);
  // Programs decide on the code: a short password may be a part of it.
  return isObject(body) ? SvcError.fromProblem({ ...(hidden.hideInJson(body) as object), code: body.code }) : undefined;
}

/**
 * Has no `cause`: an error of the caller's fetch may hold the whole request, and with it the key.
 *
 * @param foreignPage origin of the page that sent the request, if it is not the service's
 */
export function unreachable(baseUrl: string, reason: string, foreignPage?: string): SvcError {
  const advice =
    foreignPage === undefined
      ? 'Start a service with `npx svc-service serve`, or point baseUrl or SVC_BASE_URL to a running one.'
      : `If it runs, the browser blocks the request (CORS) until the service allows pages of ${foreignPage}: svc-service serve --allowed-origin ${foreignPage}`;
  return new SvcError('SERVICE_UNREACHABLE', `No answer from ${baseUrl}: ${reason}. ${advice}`);
}

async function readStream<T>(body: ByteStream, expected: Expected<T>): Promise<T> {
  const events = readEvents(body);
  try {
    return await readResult(events, expected);
  } finally {
    // Frees the connection. If `onProgress` threw, that cancels the call.
    await events.return();
  }
}

async function readResult<T>(events: ReturnType<typeof readEvents>, expected: Expected<T>): Promise<T> {
  const { baseUrl, isAnswer, onProgress } = expected;
  for (;;) {
    const { done, value } = await events.next().catch((error: unknown) => {
      throw unreadable(error, baseUrl, 'before the result');
    });
    if (done) throw unreachable(baseUrl, 'the stream ended before the result');
    const data = jsonOf(value.data);
    if (value.event === 'progress' && isProgress(data)) onProgress?.(data);
    if (value.event === 'result' && isAnswer(data)) return data;
    if (value.event === 'result' || value.event === 'error')
      throw (
        problemIn(value.data, expected) ??
        new SvcError('SERVICE_UNREACHABLE', `${baseUrl} sent something that is not a result`, { retryable: false })
      );
  }
}

async function textOf(response: FetchResponse, baseUrl: string): Promise<string> {
  try {
    return await readBodyText(response);
  } catch (error) {
    throw unreadable(error, baseUrl, 'within the answer');
  }
}

function unreadable(error: unknown, baseUrl: string, place: string): SvcError {
  if (!(error instanceof AnswerTooLarge)) return unreachable(baseUrl, `the connection broke ${place}`);
  const message = `${baseUrl} sent too much: ${error.message}. Ask for less, such as one page; an action may have run`;
  return new SvcError('SERVICE_UNREACHABLE', message, { retryable: false });
}

/** Undefined for text that is not JSON, and for deeper JSON than the service sends: functions that follow its levels overflow their stack. */
function jsonOf(text: string): unknown {
  try {
    return isNestedTooDeep(text) ? undefined : parseWithDigits(text);
  } catch {
    return undefined;
  }
}

function isProgress(value: unknown): value is Progress {
  return isObject(value) && typeof value.progress === 'number';
}

function strangeAnswer({ status, headers }: FetchResponse, { baseUrl, hidden }: { baseUrl: string; hidden: HiddenSecrets }): SvcError {
  // A browser hides the status of a redirect that was not followed.
  if (status === 0 || (status >= 300 && status < 400)) {
    return new SvcError(
      'SERVICE_UNREACHABLE',
      `${baseUrl} redirects. The key is not sent to another address: set baseUrl to the address that it redirects to`,
      {
        retryable: false,
      },
    );
  }
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const kind = errorText(hidden.hideIn(headers.get('content-type') ?? 'no content type'));
  return new SvcError(
    'SERVICE_UNREACHABLE',
    `${baseUrl} answered ${status} (${kind}), which is not an answer of an svc-sdk service: another program or a proxy speaks there. Check baseUrl.`,
    { retryable: status === 502 || status === 503 || status === 504, ...(retryAfterMs && { retryAfterMs }) },
  );
}
