/** One request to a running service, for the commands that `Tools` has no words for. */
import { SvcError } from 'svc-sdk';
import { UsageError } from './usage-error';

export interface ServiceAddress {
  /** Without a slash at the end. */
  url: string;
  apiKey: string;
}

/** @param name the option or variable that holds it, for the message */
export function checkUrl(url: string, name: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`${name} ${url} is no http(s) URL; write one such as http://127.0.0.1:8787`);
  return url.replace(/\/+$/, '');
}

/** Rejects with what the service says, or SERVICE_UNREACHABLE. */
export async function serviceRequest<T>({ url, apiKey }: ServiceAddress, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  let response: Response;
  try {
    response = await fetch(url + path, { method, headers, redirect: 'error', ...(body && { body: JSON.stringify(body) }) });
  } catch (error) {
    throw new SvcError('SERVICE_UNREACHABLE', `No service answers at ${url}; start one with "npx svc-sdk serve"`, {}, { cause: error });
  }
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : readJson(text);
  if (response.ok) return answer as T;
  throw (
    SvcError.fromProblem(answer) ?? new SvcError('SERVICE_UNREACHABLE', `${url} answered ${response.status}, not like a svc-sdk service`)
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
