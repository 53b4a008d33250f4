/**
 * Signs the `Authorization` header of a request.
 *
 * Source: OAuth 1.0a, RFC 5849, section 3 (HMAC-SHA1). Bodies of JSON and of `multipart/form-data` are not part of the signature.
 */
import { createHmac, randomBytes } from 'node:crypto';

export interface XCredentials {
  apiKey: string;
  apiSecret: string;
  accessToken: string;
  accessSecret: string;
}

export function authorizationHeader(
  credentials: XCredentials,
  method: string,
  url: URL,
  { nonce = randomBytes(16).toString('hex'), timestamp = Math.floor(Date.now() / 1000) } = {},
): string {
  const oauth: [name: string, value: string][] = [
    ['oauth_consumer_key', credentials.apiKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(timestamp)],
    ['oauth_token', credentials.accessToken],
    ['oauth_version', '1.0'],
  ];
  const parameters = [...oauth, ...url.searchParams].map((pair) => pair.map(percentEncode).join('=')).sort();
  const base = [method, `${url.origin}${url.pathname}`, parameters.join('&')].map(percentEncode).join('&');
  const key = [credentials.apiSecret, credentials.accessSecret].map(percentEncode).join('&');
  const signature = createHmac('sha1', key).update(base).digest('base64');
  return `OAuth ${[...oauth, ['oauth_signature', signature] as const].map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}

/** `encodeURIComponent` leaves five characters that RFC 5849, section 3.6, encodes. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
