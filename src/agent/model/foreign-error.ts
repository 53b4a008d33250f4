/**
 * Converts errors of model libraries (`openai`, `@anthropic-ai/sdk`, the AI SDK, LangChain) and of the program's own model function.
 *
 * Errors: the result has no `cause`: some of these errors hold the whole request.
 */
import { excerptOf } from './excerpt';
import { ModelRequestError, type ModelRequestErrorDetails } from './model-request-error';
import { readServerWait } from './server-wait';
import { isTooLong } from './too-long';
import { objectMembers } from './unchecked-json';

/** The members that are used. Headers are a `Headers` or a plain object. */
interface ForeignError {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  status?: unknown;
  statusCode?: unknown;
  headers?: unknown;
  responseHeaders?: unknown;
  responseBody?: unknown;
  isRetryable?: unknown;
  /** The error of the last try, in an error of the AI SDK. */
  lastError?: unknown;
  constructor?: { name?: unknown };
}

/** A ModelRequestError for an HTTP failure or a lost connection; undefined for any other error, such as a fault in a program. */
export function toModelRequestError(error: unknown): ModelRequestError | undefined {
  if (error instanceof ModelRequestError) return error;
  const foreign: ForeignError = objectMembers(error);
  // Another copy of the class: in CommonJS each entry has its own.
  if (foreign.name === 'ModelRequestError') return new ModelRequestError(String(foreign.message), foreign as ModelRequestErrorDetails);
  if (foreign.name === 'AI_RetryError') return toModelRequestError(foreign.lastError);
  const status = statusOf(foreign);
  if (status === undefined && !isConnectionError(foreign)) return undefined;
  const said = excerptOf(String(foreign.message ?? 'The model failed'));
  const text = [foreign.message, foreign.code, foreign.responseBody].filter((part) => typeof part === 'string').join('\n');
  return new ModelRequestError(`${said}${adviceFor(status)}`, {
    status,
    retryAfterMs: readServerWait((name) => headerOf(foreign.headers ?? foreign.responseHeaders, name)),
    isTooLong: isTooLong(status, text),
  });
}

/** A status below 400 becomes 502: the AI SDK reports an unreadable answer with its status of success. */
function statusOf({ status, statusCode }: ForeignError): number | undefined {
  const said = [status, statusCode].find((value) => typeof value === 'number');
  return said !== undefined && said < 400 ? 502 : said;
}

function isConnectionError(error: ForeignError): boolean {
  // Errors of the OpenAI and Anthropic SDKs have the name "Error", so the name of their class is read.
  const names = [error.name, error.constructor?.name].map(String);
  return error.isRetryable === true || error.message === 'fetch failed' || names.some((name) => name.startsWith('APIConnection'));
}

function adviceFor(status: number | undefined): string {
  if (status === 401 || status === 403) return ' (check the key that the model function uses)';
  return status === 404 ? ' (check the model: setModel or SVC_MODEL, or the one that the model function names)' : '';
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = objectMembers(headers)[name];
  return typeof value === 'string' ? value : undefined;
}
