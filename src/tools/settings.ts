/** The options of a `Tools` that have to be right: each is checked where a wrong one would otherwise surface as something else. */
import { SvcError } from '../protocol/errors';
import { DEFAULT_BASE_URL } from '../protocol/http';

/** Undefined where there is no `process` (browsers, some edge runtimes), and for an empty variable. */
function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

/**
 * Where the service is, without a slash at the end; a path is kept, for services behind a proxy.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function resolveBaseUrl(option: string | undefined): string {
  const text = option ?? environment('SVC_BASE_URL') ?? DEFAULT_BASE_URL;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Not quoted: what stands there by mistake may be the key.
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SvcError('INVALID_REQUEST', `baseUrl (or SVC_BASE_URL) is no http(s) URL; write one such as ${DEFAULT_BASE_URL}`);
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
 * An agent key or an agent token. Asked for with every request and not before, because `getTools()` and `definitions()` work without one, and so that a
 * variable may be set (`dotenv`) after the `Tools` was made.
 *
 * @throws SvcError INVALID_KEY, WRONG_KEY_KIND; no message holds the key
 */
export function resolveApiKey(option: string | undefined): string {
  const key = (option ?? environment('SVC_AGENT_API_KEY') ?? '').trim();
  if (key === '') {
    throw new SvcError(
      'INVALID_KEY',
      'No agent key. Set SVC_AGENT_API_KEY or pass { apiKey }; who runs the service makes one with `npx svc-sdk keys create`',
    );
  }
  const kind = /^svc_(toolkit|admin)_/.exec(key)?.[1];
  if (kind)
    throw new SvcError(
      'WRONG_KEY_KIND',
      `This is a key for a ${kind === 'admin' ? 'administrator' : kind}; Tools needs an agent key, svc_agent_…`,
    );
  // Another vendor's secret in the wrong variable must not travel, and a character that no header can hold would be quoted in fetch's own error.
  if (!/^svc_(agent|token)_[\x21-\x7e]+$/.test(key))
    throw new SvcError('INVALID_KEY', 'The key is no agent key: one begins with svc_agent_, and an agent token with svc_token_');
  return key;
}

/** @throws SvcError INVALID_REQUEST */
export function wholeNumber(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new SvcError('INVALID_REQUEST', `${name} must be a whole number from 1 to ${max}, not ${String(value)}`);
}
