/** Checks options of a `Tools`, so that a wrong one does not surface later as another error. */
import { amountProblem, toMillionths } from '../protocol/amount';
import { SvcError } from '../protocol/errors';
import { DEFAULT_BASE_URL } from '../protocol/http';
import { headerTextProblem, MAX_CALLER_ID_CHARS } from '../protocol/ids';

/** Undefined where there is no `process` (browsers, some edge runtimes), and for an empty variable. */
function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

/**
 * The address of the service, without a trailing slash. A path is kept, for services behind a proxy.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function resolveBaseUrl(option: string | undefined): string {
  const text = option ?? environment('SVC_BASE_URL') ?? DEFAULT_BASE_URL;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The value is not quoted: by mistake it may be the key.
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SvcError('INVALID_REQUEST', `baseUrl (or SVC_BASE_URL) is not an http(s) URL; write one such as ${DEFAULT_BASE_URL}`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new SvcError(
      'INVALID_REQUEST',
      `baseUrl for ${url.host} may hold no user, password, query or fragment; the key goes into apiKey`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/**
 * An agent key or an agent token, read with every request: `getTools()` and `definitions()` work without one, and `dotenv` may set the variable
 * after the `Tools` was made.
 *
 * @throws SvcError INVALID_KEY, WRONG_KEY_KIND; no message holds the key
 */
export function resolveApiKey(option: string | undefined): string {
  const key = (option ?? environment('SVC_AGENT_API_KEY') ?? '').trim();
  if (key === '') {
    throw new SvcError(
      'INVALID_KEY',
      'No agent key. Set SVC_AGENT_API_KEY or pass { apiKey }; who runs the service makes one with `npx svc-service keys create`',
    );
  }
  const kind = /^svc_(toolkit|admin)_/.exec(key)?.[1];
  if (kind)
    throw new SvcError(
      'WRONG_KEY_KIND',
      `This is a key for a ${kind === 'admin' ? 'administrator' : kind}; Tools needs an agent key, svc_agent_…`,
    );
  // Another vendor's secret in the wrong variable must not be sent, and fetch's own error would quote a key that a header cannot hold.
  if (!/^svc_(agent|token)_[\x21-\x7e]+$/.test(key))
    throw new SvcError('INVALID_KEY', 'This is not an agent key: an agent key begins with svc_agent_, an agent token with svc_token_');
  return key;
}

/** @throws SvcError INVALID_REQUEST for a text that a header cannot hold */
export function headerText<Text extends string | undefined>(name: string, text: Text, maxChars = MAX_CALLER_ID_CHARS): Text {
  const problem = text !== undefined && headerTextProblem(name, text, maxChars);
  if (problem) throw new SvcError('INVALID_REQUEST', problem);
  return text;
}

/** @throws SvcError INVALID_REQUEST */
export function wholeNumber(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new SvcError('INVALID_REQUEST', `${name} must be a whole number from 1 to ${max}, not ${String(value)}`);
}

/**
 * The lowest of the amounts that are given.
 *
 * @throws SvcError INVALID_REQUEST for a value that is not an amount
 */
export function lowestAmount(name: string, ...amounts: (string | undefined)[]): string | undefined {
  let lowest: string | undefined;
  for (const amount of amounts) {
    if (amount === undefined) continue;
    const problem = amountProblem(name, amount);
    if (problem) throw new SvcError('INVALID_REQUEST', problem);
    if (lowest === undefined || (toMillionths(amount) as bigint) < (toMillionths(lowest) as bigint)) lowest = amount;
  }
  return lowest;
}
