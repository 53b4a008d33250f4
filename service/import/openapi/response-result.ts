/**
 * Converts an HTTP answer to the result of the action, or its error.
 *
 * Shape:  JSON unchanged, but numbers that lose digits as texts; JSON lines as a list; text unchanged, without content `{ status }`, bytes
 *         `{ contentType, bytes, base64? }`.
 * Errors: ActionError HTTP_<status>, with `{ status, body }`; ANSWER_TOO_LARGE.
 */
import { Buffer } from 'node:buffer';
import type { ActionContext } from 'svc-sdk';
import { isObject } from '#sdk/protocol/json-object';
import { readRetryAfter } from '#sdk/protocol/retry-after';
import type { Redactor } from '../redactor';
import { answerValue, mediaTypeOf } from './answer-value';
import { lost, redirectTarget } from './send-request';

/** The service cuts a result at 1 MiB; slightly more than it could use is read. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The most bytes that are returned as base64. */
const MAX_BASE64_BYTES = 200_000;
const MAX_ERROR_CHARS = 4_000;
const MAX_MESSAGE_CHARS = 500;

export interface AnswerOptions {
  url: URL;
  method: string;
  /** Some APIs quote the key that they refuse. */
  redactor: Redactor;
  ctx: ActionContext;
}

export async function resultOfResponse(response: Response, options: AnswerOptions): Promise<unknown> {
  const { url, method, ctx } = options;
  const { status } = response;
  const target = redirectTarget(response, url);
  if (status >= 300 && status < 400 && (method === 'GET' || method === 'HEAD')) {
    await response.body?.cancel();
    return { status, ...(target && { location: target.href }) };
  }
  const bytes = await readBytes(response, options);
  const contentType = response.headers.get('content-type') ?? '';
  if (status >= 300) throw failure(response, target ? `a redirect to ${target.origin}` : answerValue(bytes, contentType), options);
  if (bytes.length === 0) return { status };
  const value = answerValue(bytes, contentType);
  if (value !== undefined) return value;
  return {
    contentType: mediaTypeOf(contentType) || 'application/octet-stream',
    bytes: bytes.length,
    ...(bytes.length <= MAX_BASE64_BYTES && { base64: bytes.toString('base64') }),
  };

  async function readBytes({ body }: Response, { url: from }: AnswerOptions): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const part of body ?? []) {
        size += part.byteLength;
        if (size > MAX_BYTES) break; // which cancels the body
        parts.push(part);
      }
    } catch (error) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      throw lost(error, from, ctx);
    }
    if (size > MAX_BYTES)
      throw ctx.error('ANSWER_TOO_LARGE', `The answer is larger than ${MAX_BYTES} bytes; ask for less of it, such as one page`);
    return Buffer.concat(parts);
  }
}

function failure(response: Response, value: unknown, { redactor, ctx }: AnswerOptions): Error {
  const { status, statusText } = response;
  const body = shownBody(redactor.details(value));
  const message = (messageIn(body) ?? redactor.text(statusText)).trim();
  const retryable = status === 429 || status === 503;
  const retryAfterMs = retryable ? readRetryAfter(response.headers.get('retry-after')) : undefined;
  return ctx.error(`HTTP_${status}`, `The API answered ${status}${message && `: ${message.slice(0, MAX_MESSAGE_CHARS)}`}`, {
    data: { status, ...(body !== undefined && body !== '' && { body }) },
    ...(retryable && { retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function shownBody(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json === undefined || json.length <= MAX_ERROR_CHARS) return value;
  return `${(typeof value === 'string' ? value : json).slice(0, MAX_ERROR_CHARS)}…`;
}

/** The error text in the usual members: RFC 9457, RFC 6749, and the habits of many APIs. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return /^\s*</.test(body) ? undefined : body;
  if (Array.isArray(body)) return messageIn(body[0]);
  if (!isObject(body)) return undefined;
  for (const name of ['message', 'detail', 'error_description', 'error', 'errors', 'title', 'description', 'reason']) {
    const found = Object.hasOwn(body, name) ? messageIn(body[name]) : undefined;
    if (found) return found;
  }
  return undefined;
}
