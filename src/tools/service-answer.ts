/**
 * Reads one HTTP answer.
 *
 * Shape:  the JSON of a success, checked to be of the expected kind; progress is reported while the call runs.
 * Errors: the service's own problem; SERVICE_UNREACHABLE for an answer of something else: a proxy's page, a redirect, another program on that
 *         port, a stream that breaks. `retryable` if the same request may succeed later.
 */
import { SvcError } from '../protocol/errors';
import type { Progress } from '../protocol/http';
import { isObject } from '../protocol/json-object';
import { type ByteStream, readEvents } from './sse';

/** The part of a `Response` that is used. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (ByteStream & { cancel(): Promise<unknown> }) | null;
  text(): Promise<string>;
}

export interface Expected<T> {
  baseUrl: string;
  isAnswer: (body: unknown) => body is T;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export async function readAnswer<T>(response: FetchResponse, expected: Expected<T>): Promise<T> {
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? '';
  if (status === 200 && type.startsWith('text/event-stream') && body) return readStream(body, expected);
  const answer = /\bjson\b/.test(type) ? parseJson(await textOf(response, expected.baseUrl)) : undefined;
  if (status === 200 && expected.isAnswer(answer)) return answer;
  // Frees the connection: the page of a proxy is not read.
  if (answer === undefined) await body?.cancel().catch(() => undefined);
  throw (status >= 400 && SvcError.fromProblem(answer)) || strangeAnswer(response, expected.baseUrl);
}

/**
 * Has no `cause`: an error of the caller's fetch may hold the whole request, and with it the key.
 *
 * @param foreignPage origin of the page that sent the request, if it is not the service's
 */
export function unreachable(baseUrl: string, reason: string, foreignPage?: string): SvcError {
  const advice =
    foreignPage === undefined
      ? 'Start a service with `npx svc-sdk serve`, or point baseUrl or SVC_BASE_URL to a running one.'
      : `If it runs, the browser blocks the request (CORS) until the service allows pages of ${foreignPage}: svc-sdk serve --allowed-origin ${foreignPage}`;
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

async function readResult<T>(events: ReturnType<typeof readEvents>, { baseUrl, isAnswer, onProgress }: Expected<T>): Promise<T> {
  for (;;) {
    const { done, value } = await events.next().catch(() => {
      throw unreachable(baseUrl, 'the connection broke before the result');
    });
    if (done) throw unreachable(baseUrl, 'the stream ended before the result');
    const data = parseJson(value.data);
    if (value.event === 'progress' && isProgress(data)) onProgress?.(data);
    if (value.event === 'result' && isAnswer(data)) return data;
    if (value.event === 'result' || value.event === 'error')
      throw (
        SvcError.fromProblem(data) ??
        new SvcError('SERVICE_UNREACHABLE', `${baseUrl} sent something that is not a result`, { retryable: false })
      );
  }
}

async function textOf(response: FetchResponse, baseUrl: string): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw unreachable(baseUrl, 'the connection broke within the answer');
  }
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProgress(value: unknown): value is Progress {
  return isObject(value) && typeof value.progress === 'number';
}

function strangeAnswer({ status, headers }: FetchResponse, baseUrl: string): SvcError {
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
  const retryAfterMs = Number(headers.get('retry-after')) * 1_000;
  const kind = headers.get('content-type') ?? 'no content type';
  return new SvcError(
    'SERVICE_UNREACHABLE',
    `${baseUrl} answered ${status} (${kind}), which is not an answer of an svc-sdk service: another program or a proxy speaks there. Check baseUrl.`,
    { retryable: status === 502 || status === 503 || status === 504, ...(retryAfterMs > 0 && { retryAfterMs }) },
  );
}
