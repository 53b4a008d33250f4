/** One request to a running service, for the commands that `Tools` has no words for. */
import { SvcError } from 'svc-sdk';
import { AnswerTooLarge, readBodyText } from '../protocol/byte-stream';
import { UsageError } from './usage-error';

export interface ServiceAddress {
  /** The address without a slash at the end. */
  url: string;
  apiKey: string;
}

/** @param name the option or variable that holds it, for the message */
export function checkUrl(url: string, name: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${name} ${url} is not an http(s) URL; write one such as http://127.0.0.1:8787`);
  return url.replace(/\/+$/, '');
}

/** Rejects with what the service says, or SERVICE_UNREACHABLE. */
export async function serviceRequest<T>(service: ServiceAddress, method: string, path: string, body?: object): Promise<T> {
  const response = await request(service, path, { method, ...(body && { body: JSON.stringify(body) }) });
  const text = await readAnswer(service, response);
  const answer: unknown = text === '' ? undefined : readJson(text);
  if (response.ok) return answer as T;
  throw SvcError.fromProblem(answer) ?? strangeAnswer(service, response);
}

/** Server-sent events, until `signal` aborts. Rejects as `serviceRequest` does. */
export async function serviceStream(service: ServiceAddress, path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await request(service, path, { signal });
  if (response.ok && response.body) return response.body;
  throw SvcError.fromProblem(readJson(await readAnswer(service, response))) ?? strangeAnswer(service, response);
}

async function request({ url, apiKey }: ServiceAddress, path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  try {
    return await fetch(url + path, { headers, redirect: 'error', ...init });
  } catch (error) {
    throw new SvcError(
      'SERVICE_UNREACHABLE',
      `No service answers at ${url}; start one with "npx svc-service serve", or "npx svc-service dev"`,
      {},
      { cause: error },
    );
  }
}

async function readAnswer({ url }: ServiceAddress, response: Response): Promise<string> {
  try {
    return await readBodyText(response);
  } catch (error) {
    const reason = error instanceof AnswerTooLarge ? `sent too much: ${error.message}` : 'broke off its answer; run the command again';
    throw new SvcError('SERVICE_UNREACHABLE', `${url} ${reason}`, { retryable: !(error instanceof AnswerTooLarge) }, { cause: error });
  }
}

function strangeAnswer({ url }: ServiceAddress, { status }: Response): SvcError {
  return new SvcError('SERVICE_UNREACHABLE', `${url} answered ${status}, not like a svc-sdk service`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
